//! Reading files that somebody else may have put there.
//!
//! A named pipe would block for ever and `/dev/zero` never ends, so only regular files are read, and only up to a size
//! that the caller states. The file is opened first and looked at afterwards: nobody can exchange it in between.

use rustix::fs::OFlags;
use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Opens a regular file of at most `most` bytes.
pub fn open(path: &Path, most: u64) -> Result<File> {
    // Opening a named pipe or a device must not wait for somebody at its other end.
    let file = OpenOptions::new().read(true).custom_flags(OFlags::NONBLOCK.bits() as i32).open(path)?;
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    if about.len() > most {
        return Err(Error::new(ErrorKind::FileTooLarge, format!("larger than {most} bytes")));
    }
    Ok(file)
}

/// The bytes of a regular file of at most `most` bytes.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // It may grow while it is read.
    open(path, most)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_regular_files_up_to_a_size() {
        let folder = std::env::temp_dir().join(format!("strata-regular-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("file");
        fs::write(&file, b"12345").unwrap();
        assert_eq!(read(&file, 5).unwrap(), b"12345");
        assert_eq!(read(&file, 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(read(Path::new("/dev/zero"), 1 << 20).unwrap_err().kind(), ErrorKind::InvalidInput);
        assert_eq!(read(&folder, 1 << 20).unwrap_err().kind(), ErrorKind::InvalidInput);
        let pipe = folder.join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        assert_eq!(read(&pipe, 1 << 20).unwrap_err().kind(), ErrorKind::InvalidInput);
        fs::remove_dir_all(&folder).unwrap();
    }
}
