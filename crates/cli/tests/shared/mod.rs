//! A fresh folder for a test, gone when dropped.

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// The folder.
pub struct Temporary(pub PathBuf);

impl Temporary {
    /// A folder with this name, of which each test has its own.
    pub fn new(name: &str) -> Temporary {
        let path = std::env::temp_dir().join(format!("strata-test-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a temporary folder");
        Temporary(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Deref for Temporary {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}
