//! What programs may leave in the folder that is kept: regular files and folders, without special rights.
//!
//! The folder is the user's own, and a program in the sandbox may be the same user. A setuid file would give others the user's rights, a
//! link would lead whoever writes to it elsewhere, and a named pipe would block whoever reads it. What was there before is not touched.

use std::collections::HashSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Setuid, setgid and sticky.
const SPECIAL: u32 = 0o7000;

/// The folder, and what of its contents is the user's own doing.
#[derive(Debug)]
pub(crate) struct Sweep {
    folder: PathBuf,
    known: HashSet<PathBuf>,
}

impl Sweep {
    /// Looks at the folder before a program does anything.
    pub fn before(folder: &Path) -> Sweep {
        let mut known = HashSet::new();
        walk(folder, &mut |path, _| _ = known.insert(path.to_path_buf()));
        Sweep { folder: folder.into(), known }
    }

    /// Removes what programs may not leave. What cannot be removed stays.
    pub fn after(&self) {
        walk(&self.folder, &mut |path, found| {
            if self.known.contains(path) {
                return;
            }
            let _ = match found {
                Found::Other => fs::remove_file(path),
                Found::Special(mode) => fs::set_permissions(path, Permissions::from_mode(mode & !SPECIAL & 0o7777)),
            };
        });
    }
}

/// How many bytes the files in a folder take. Each file counts for a block at least, so that many
/// empty ones are no way around.
pub(crate) fn size(folder: &Path) -> u64 {
    const BLOCK: u64 = 4096;
    let (mut waiting, mut total) = (vec![folder.to_path_buf()], 0u64);
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(about) = entry.metadata() else { continue };
            total = total.saturating_add((about.blocks() * 512).max(BLOCK));
            if about.is_dir() {
                waiting.push(entry.path());
            }
        }
    }
    total
}

/// What is neither a plain file nor a plain folder.
enum Found {
    /// A link, a pipe, a socket, a device.
    Other,
    /// A file or folder with special rights, and its mode.
    Special(u32),
}

/// Shows everything in a folder that is not plain; links are not followed.
fn walk(folder: &Path, show: &mut dyn FnMut(&Path, Found)) {
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(about) = fs::symlink_metadata(&path) else { continue };
            let mode = about.permissions().mode();
            if !about.is_file() && !about.is_dir() {
                show(&path, Found::Other);
                continue;
            }
            if mode & SPECIAL != 0 {
                show(&path, Found::Special(mode));
            }
            if about.is_dir() {
                waiting.push(path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_plain_files_are_left() {
        let folder = std::env::temp_dir().join(format!("strata-sweep-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("in")).unwrap();
        symlink("/etc/passwd", folder.join("own")).unwrap();
        let sweep = Sweep::before(&folder);
        symlink("/etc", folder.join("in/link")).unwrap();
        fs::write(folder.join("in/plain"), "x").unwrap();
        fs::write(folder.join("raised"), "x").unwrap();
        fs::set_permissions(folder.join("raised"), Permissions::from_mode(0o6755)).unwrap();
        sweep.after();
        assert!(fs::symlink_metadata(folder.join("own")).is_ok(), "the user's own link stays");
        assert!(fs::symlink_metadata(folder.join("in/link")).is_err());
        assert!(folder.join("in/plain").is_file());
        assert_eq!(fs::metadata(folder.join("raised")).unwrap().permissions().mode() & 0o7777, 0o755);
        fs::remove_dir_all(&folder).unwrap();
    }
}
