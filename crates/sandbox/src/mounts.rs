//! A root that holds nothing but what a tool may touch, for kernels without Landlock.
//!
//! What is read is mounted read-only, and what is written without execution, at its own place,
//! under each name by which it may be asked for. The folder that the tool works in is there in
//! any case, empty if it may not be read.

use libc::{c_int, c_ulong};
use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::null;

/// Everything that is needed to make the root, so that making it allocates nothing.
#[derive(Debug)]
pub(crate) struct Mounts {
    binds: Vec<Bind>,
    folder: CString,
    /// Folders down to the one that the tool works in, without the slash at the beginning.
    steps: Vec<CString>,
    maps: [(CString, Vec<u8>); 3],
}

#[derive(Debug)]
struct Bind {
    source: CString,
    /// Folders down to the target, without the slash at the beginning.
    steps: Vec<CString>,
    target: CString,
    is_folder: bool,
    writable: bool,
}

/// The new root is hung up here, since nothing that a tool reads lies there.
const PLACE: &std::ffi::CStr = c"/proc";

const NAMESPACES: c_int = libc::CLONE_NEWNS | libc::CLONE_NEWNET | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;

fn text(path: &Path) -> io::Result<CString> {
    CString::new(path.as_os_str().as_bytes()).map_err(io::Error::other)
}

/// A path's folders from the top, and itself where it is a folder, without the slash at the
/// beginning.
fn steps(path: &Path, itself: bool) -> io::Result<Vec<CString>> {
    let mut all: Vec<&Path> = path.ancestors().skip(usize::from(!itself)).collect();
    all.reverse();
    let inner = all.into_iter().filter_map(|step| step.strip_prefix("/").ok()).filter(|step| *step != Path::new(""));
    inner.map(text).collect()
}

impl Bind {
    fn new(path: &Path, target: &Path, writable: bool) -> io::Result<Bind> {
        let is_folder = path.is_dir();
        let inside = target.strip_prefix("/").map_err(io::Error::other)?;
        Ok(Bind { source: text(path)?, steps: steps(target, is_folder)?, target: text(inside)?, is_folder, writable })
    }
}

impl Mounts {
    /// What is mounted for a tool that works in this folder.
    pub fn new(folder: &Path, read: &[PathBuf], write: &[PathBuf]) -> io::Result<Mounts> {
        let mut binds = Vec::new();
        // From the top, so that none hides another.
        let mut all: Vec<(PathBuf, PathBuf, bool)> = Vec::new();
        for (path, writable) in read.iter().map(|path| (path, false)).chain(write.iter().map(|path| (path, true))) {
            let (real, named) = (path.canonicalize()?, std::path::absolute(path)?);
            all.push((real.clone(), named, writable));
            all.push((real.clone(), real, writable));
        }
        all.sort_by(|one, other| one.1.cmp(&other.1));
        all.dedup_by(|later, first| {
            let same = later.1 == first.1;
            first.2 |= same && later.2;
            same
        });
        for (real, target, writable) in all {
            binds.push(Bind::new(&real, &target, writable)?);
        }
        // SAFETY: give numbers.
        let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
        let maps = [
            (c"/proc/self/setgroups".into(), b"deny".to_vec()),
            (c"/proc/self/uid_map".into(), format!("{user} {user} 1\n").into_bytes()),
            (c"/proc/self/gid_map".into(), format!("{group} {group} 1\n").into_bytes()),
        ];
        Ok(Mounts { binds, folder: text(folder)?, steps: steps(folder, true)?, maps })
    }

    /// Does the kernel grant the namespaces?
    pub fn granted() -> bool {
        // SAFETY: the child does system calls only.
        unsafe {
            match libc::fork() {
                -1 => false,
                0 => {
                    let private =
                        || libc::mount(null(), c"/".as_ptr(), null(), libc::MS_REC | libc::MS_PRIVATE, null());
                    libc::_exit(c_int::from(unshare().is_err() || private() != 0))
                }
                child => {
                    let mut status = 0;
                    libc::waitpid(child, &mut status, 0) == child && status == 0
                }
            }
        }
    }

    /// Makes the root and goes there. Does system calls and nothing else.
    pub fn enter(&self) -> io::Result<()> {
        // SAFETY: texts that live as long as we do, and numbers.
        unsafe {
            let in_user_namespace = unshare()?;
            for (name, contents) in self.maps.iter().filter(|_| in_user_namespace) {
                let file = libc::open(name.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
                check(file)?;
                check(libc::write(file, contents.as_ptr().cast(), contents.len()) as c_int)?;
                libc::close(file);
            }
            let (tmpfs, slash, dot) = (c"tmpfs".as_ptr(), c"/".as_ptr(), c".".as_ptr());
            check(libc::mount(null(), slash, null(), libc::MS_REC | libc::MS_PRIVATE, null()))?;
            let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
            check(libc::mount(tmpfs, PLACE.as_ptr(), tmpfs, flags, c"mode=0755,size=1m".as_ptr().cast()))?;
            check(libc::chdir(PLACE.as_ptr()))?;
            for bind in &self.binds {
                bind.mount()?;
            }
            make(&self.steps);
            check(libc::syscall(libc::SYS_pivot_root, dot, dot) as c_int)?;
            check(libc::umount2(dot, libc::MNT_DETACH))?;
            check(libc::chdir(slash))?;
            let flags = flags | libc::MS_REMOUNT | libc::MS_RDONLY;
            check(libc::mount(null(), slash, null(), flags, null()))?;
            check(libc::chdir(self.folder.as_ptr()))?;
        }
        Ok(())
    }
}

impl Bind {
    unsafe fn mount(&self) -> io::Result<()> {
        unsafe {
            make(&self.steps);
            let target = self.target.as_ptr();
            if !self.is_folder {
                libc::close(libc::open(target, libc::O_CREAT | libc::O_WRONLY | libc::O_CLOEXEC, 0o644));
            }
            check(libc::mount(self.source.as_ptr(), target, null(), libc::MS_BIND | libc::MS_REC, null()))?;
            // Restrictions that the mount has already may not be taken away from it.
            let mut about: libc::statvfs = std::mem::zeroed();
            check(libc::statvfs(target, &mut about))?;
            let kept =
                about.f_flag & (libc::ST_NOSUID | libc::ST_NODEV | libc::ST_NOEXEC | libc::ST_NOATIME) as c_ulong;
            let relative = if about.f_flag & libc::ST_RELATIME as c_ulong != 0 { libc::MS_RELATIME } else { 0 };
            let own = if self.writable { libc::MS_NODEV | libc::MS_NOEXEC } else { libc::MS_RDONLY };
            let flags = kept | relative | own | libc::MS_BIND | libc::MS_REMOUNT | libc::MS_NOSUID;
            check(libc::mount(null(), target, null(), flags, null()))
        }
    }
}

unsafe fn make(steps: &[CString]) {
    for step in steps {
        // One that is there already is fine; what cannot be made is seen by the mount.
        unsafe { libc::mkdir(step.as_ptr(), 0o755) };
    }
}

fn check(done: c_int) -> io::Result<()> {
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Fresh namespaces. Is one of users among them? Root can do without.
unsafe fn unshare() -> io::Result<bool> {
    unsafe {
        if libc::unshare(NAMESPACES | libc::CLONE_NEWUSER) == 0 {
            return Ok(true);
        }
        check(libc::unshare(NAMESPACES)).map(|()| false)
    }
}
