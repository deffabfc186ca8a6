//! Both boxes against work that tries to get out. One process at a time: work apart is forked
//! from this one.
#![cfg(target_os = "linux")]

use std::fs;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use strata_sandbox::{Bounds, Ended, Hold, Reach, apart, confine_by, hold};

/// Tests run on threads, and a fork must not meet another one in the middle of something.
static ALONE: Mutex<()> = Mutex::new(());

fn bounds(seconds: u64) -> Bounds {
    Bounds { seconds, memory: 1 << 30 }
}

/// Nobody changes it.
static STUCK: u32 = 0;

fn alone() -> std::sync::MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// What one system call or the like gives in a process apart: zero for success, else the error's
/// number.
fn tried(act: impl FnOnce() -> io::Result<()>) -> i32 {
    let bytes = apart(bounds(10), |out| {
        let code = act().err().map_or(0, |error| error.raw_os_error().unwrap_or(-1));
        out.write_all(&code.to_le_bytes())
    });
    i32::from_le_bytes(bytes.expect("a result").try_into().expect("four bytes"))
}

fn call(done: i64) -> io::Result<()> {
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

#[test]
fn work_apart_hands_back_bytes() {
    let _alone = alone();
    let seen = vec![7u8; 3 << 20];
    assert_eq!(apart(bounds(10), |out| out.write_all(&seen)).expect("a result"), seen);
    assert_eq!(apart(bounds(10), |_| Ok(())).expect("a result"), b"");
}

#[test]
fn how_work_apart_ends_is_told() {
    let _alone = alone();
    // The harness keeps what a panic says.
    assert!(matches!(apart(bounds(10), |_| panic!("on purpose")), Err(Ended::Failed(_))));
    let wrong = apart(bounds(10), |_| Err(io::Error::other("on purpose")));
    assert!(matches!(&wrong, Err(Ended::Failed(said)) if said.contains("on purpose")), "{wrong:?}");
    // SAFETY: it ends the child.
    let crashed = apart(bounds(10), |_| unsafe {
        std::ptr::without_provenance_mut::<u8>(64).write_volatile(1);
        Ok(())
    });
    assert!(matches!(crashed, Err(Ended::Crashed(libc::SIGSEGV, _))), "{crashed:?}");
    let aborted = apart(bounds(10), |_| -> io::Result<()> { std::process::abort() });
    assert!(matches!(aborted, Err(Ended::Crashed(libc::SIGABRT, _))), "{aborted:?}");
    // SAFETY: it waits for a signal, which does not come.
    let hung = apart(bounds(1), |_| {
        loop {
            std::hint::black_box(unsafe { libc::syscall(libc::SYS_futex, &raw const STUCK, libc::FUTEX_WAIT, 0, 0) });
        }
    });
    assert!(matches!(hung, Err(Ended::Crashed(libc::SIGXCPU, _))), "{hung:?}");
    let grown = apart(bounds(10), |out| out.write_all(&vec![1; 4 << 30]));
    assert!(matches!(grown, Err(Ended::Crashed(..) | Ended::Failed(_))), "{grown:?}");
    let spun = apart(bounds(1), |_| {
        loop {
            std::hint::spin_loop()
        }
    });
    assert!(matches!(spun, Err(Ended::Crashed(libc::SIGXCPU, _))), "{spun:?}");
}

#[test]
fn work_apart_touches_nothing() {
    let _alone = alone();
    let path = c"/etc/passwd";
    // SAFETY: plain calls with numbers and a text; each is made in a child.
    unsafe {
        assert_eq!(tried(|| fs::read("/etc/passwd").map(|_| ())), libc::ENOSYS);
        assert_eq!(tried(|| call(libc::syscall(libc::SYS_open, path.as_ptr(), 0))), libc::ENOSYS);
        assert_eq!(
            tried(|| call(libc::stat(path.as_ptr(), std::mem::zeroed::<[u8; 256]>().as_mut_ptr().cast()).into())),
            libc::ENOSYS
        );
        assert_eq!(tried(|| call(libc::fork().into())), libc::ENOSYS);
        assert_eq!(tried(|| call(libc::socket(libc::AF_UNIX, libc::SOCK_STREAM, 0).into())), libc::ENOSYS);
        assert_eq!(tried(|| call(libc::kill(libc::getppid(), 0).into())), libc::ENOSYS);
        assert_eq!(tried(|| call(libc::syscall(libc::SYS_tgkill, 1, 1, 0))), libc::EPERM);
        assert_eq!(tried(|| call(libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0))), libc::ENOSYS);
        assert_eq!(tried(|| call(libc::prctl(libc::PR_GET_DUMPABLE).into())), libc::ENOSYS);
        assert_eq!(tried(|| Command::new("/bin/true").status().map(|_| ())), libc::ENOSYS);
        // Standard input and output are not there, nor any other descriptor.
        for descriptor in (0..2).chain(4..64) {
            assert_eq!(tried(|| call(libc::lseek(descriptor, 0, libc::SEEK_CUR))), libc::EBADF, "{descriptor}");
        }
    }
}

/// A folder of its own, gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("strata-boxes-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What this kernel grants: each must hold what it is for.
fn holds() -> Vec<Hold> {
    let all: Vec<Hold> = match hold() {
        Hold::Landlock => vec![Hold::Landlock, Hold::Mounts],
        Hold::Mounts => vec![Hold::Mounts],
        Hold::Nothing => vec![],
    };
    if all.is_empty() {
        println!("this kernel grants neither Landlock nor namespaces");
    }
    all
}

/// A shell's words, run by a tool that may touch this.
fn shell(hold: Hold, folder: &Path, words: &str, reach: &Reach) -> Output {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", words]).current_dir(folder).env_clear().env("PATH", "/usr/bin:/bin");
    confine_by(hold, &mut command, reach).expect("it can be confined");
    command.output().unwrap_or_else(|error| panic!("{hold:?}: {error}"))
}

#[test]
fn tools_see_what_was_named_and_write_where_they_may() {
    let _alone = alone();
    let folder = Folder::new("reach");
    for part in ["given", "out", "other"] {
        fs::create_dir(folder.0.join(part)).expect("a folder");
        fs::write(folder.0.join(part).join("text"), part).expect("a file");
    }
    let at = |part: &str| folder.0.join(part);
    fs::write(at("single"), "single").expect("a file");
    std::os::unix::fs::symlink(at("given"), at("link")).expect("a link");
    let reach = Reach { read: vec![at("link"), at("single")], write: vec![at("out")], ..Reach::default() };
    for hold in holds() {
        let shell = |words: &str| {
            let output = shell(hold, &at("given"), words, &reach);
            (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
        };
        assert_eq!(
            shell("cat text ../link/text ../single ../out/text"),
            (true, "givengivensingleout".into()),
            "{hold:?}"
        );
        assert_eq!(shell("echo x > ../out/new && cat ../out/new && rm ../out/new"), (true, "x\n".into()), "{hold:?}");
        for refused in [
            "cat ../other/text",
            "cat /etc/passwd",
            "ls ../other",
            "echo x > new",
            "echo x > text",
            "echo x > ../single",
            "rm text",
            "echo x > ../new",
            "echo x > /tmp/strata-boxes-new",
            "mkdir /tmp/strata-boxes-new",
            "cat /proc/self/environ /proc/1/environ",
            "cat /proc/$PPID/environ",
            "kill -0 $PPID",
            "mknod ../out/device c 1 3",
            "cp /bin/true ../out/true && ../out/true",
            "mount -t tmpfs none ../out",
            "unshare -r true",
        ] {
            // What lies in /bin and reads what is its own must work, or nothing is shown.
            assert_eq!(shell("true"), (true, String::new()));
            let (done, text) = shell(&format!("{{ {refused}; }} 2>/dev/null"));
            assert!(!done, "{hold:?}: {refused}: {text}");
        }
        assert_eq!(fs::read_to_string(at("given/text")).expect("a file"), "given");
    }
}

#[test]
fn tools_are_ended_with_what_started_them() {
    let _alone = alone();
    for hold in holds().into_iter().chain([Hold::Nothing]) {
        let output = shell(hold, Path::new("/"), "kill -SEGV $$", &Reach::default());
        assert_eq!(output.status.signal(), Some(libc::SIGSEGV), "{hold:?}: a tool may signal itself");
        let network = shell(hold, Path::new("/"), "exec 3<>/dev/tcp/127.0.0.1/1", &Reach::default());
        assert!(!network.status.success());
    }
}
