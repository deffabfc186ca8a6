//! The command line of an attack by programs: many seeds on all cores, and what fails made smaller
//! and kept.

use super::compare::{Setting, Verdict};
use super::generate::Program;
use super::shrink::smaller;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

/// Where programs come from, and what is asked of them.
#[derive(Clone, Copy)]
pub struct Attack {
    /// The program of a seed.
    pub program: fn(u64) -> Program,
    /// Compares a program with the machine.
    pub compare: fn(&Program, &Setting) -> Verdict,
}

/// `[COUNT [SEED [STRATA]]]` (100; from the clock; strata from the PATH) or `--print SEED`.
///
/// A program that fails is made smaller and kept in `fuzz-failures/`, as it was and as it became.
pub fn attack(attack: Attack, arguments: Vec<String>) -> ExitCode {
    if let [option, seed] = arguments.as_slice()
        && option == "--print"
    {
        print!("{}", (attack.program)(seed.parse().unwrap_or(0)).source());
        return ExitCode::SUCCESS;
    }
    let mut arguments = arguments.into_iter();
    let count: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(100);
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs() << 20);
    let first = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(clock);
    let strata = PathBuf::from(arguments.next().unwrap_or_else(|| "strata".into()));
    println!("{count} programs from seed {first} under {}", strata.display());
    match attack.all(first, count, strata) {
        Ok(0) => {
            println!("all as natively");
            ExitCode::SUCCESS
        }
        Ok(failures) => {
            println!("{failures} of {count} differ");
            ExitCode::FAILURE
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

impl Attack {
    /// Compares so many programs on all cores; the number that differ.
    fn all(self, first: u64, count: u64, strata: PathBuf) -> Result<usize, String> {
        let workers = std::thread::available_parallelism().map_or(1, usize::from) as u64;
        let scratch = std::env::temp_dir().join(format!("strata-fuzz-{}", std::process::id()));
        let results: Vec<Result<usize, String>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..workers)
                .map(|worker| {
                    let setting = Setting {
                        clang: "clang-22".into(),
                        strata: strata.clone(),
                        scratch: scratch.join(worker.to_string()),
                    };
                    let seeds = (first + worker..first.saturating_add(count)).step_by(workers as usize);
                    scope.spawn(move || seeds.map(|seed| self.check(seed, &setting)).sum())
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("a worker does not panic")).collect()
        });
        // Sound: a folder left behind in the temporary folder harms nobody.
        std::fs::remove_dir_all(&scratch).ok();
        results.into_iter().sum()
    }

    /// 1 if the program of this seed differs.
    fn check(self, seed: u64, setting: &Setting) -> Result<usize, String> {
        std::fs::create_dir_all(&setting.scratch).map_err(|error| format!("{}: {error}", setting.scratch.display()))?;
        let whole = (self.program)(seed);
        match (self.compare)(&whole, setting) {
            Verdict::Same => Ok(0),
            Verdict::Invalid(message) => Err(format!("seed {seed}: not a valid program: {message}")),
            Verdict::Different(message) => {
                println!("seed {seed}: {message}");
                let differs = |candidate: &Program| matches!((self.compare)(candidate, setting), Verdict::Different(_));
                keep(seed, &whole, &smaller(&whole, differs))?;
                Ok(1)
            }
        }
    }
}

fn keep(seed: u64, whole: &Program, small: &Program) -> Result<(), String> {
    let folder = Path::new("fuzz-failures");
    let write = |name: String, text: String| {
        std::fs::write(folder.join(&name), text).map_err(|error| format!("{name}: {error}"))
    };
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    write(format!("{seed}.c"), whole.source())?;
    write(format!("{seed}-small.c"), small.source())?;
    println!("seed {seed}: kept in {}", folder.display());
    Ok(())
}
