//! The command line as clap wants it, from one as KLEE's users type it.
//!
//! What follows `run`'s program belongs to the program, whatever it looks like: `--` is put before the program. Options with one
//! dash and a long name (`-max-time=60s`) get their second dash; `-I`, `-D` and `-O` are short ones. Which options exist and which take a
//! value is asked of clap, so that there is no second list. Options of the modelled system (`--sym-args`) that stand before the program are moved behind it,
//! where KLEE has them: they are read there, in their order.

use clap::{Arg, Command};
use std::ffi::OsString;

/// Rewrites the words behind `strata`; the first of all is the command itself.
pub fn rewrite(words: Vec<OsString>, strata: &Command) -> Vec<OsString> {
    let Some(run) = strata.find_subcommand("run").filter(|_| words.get(1).is_some_and(|verb| verb == "run")) else {
        return words;
    };
    let mut rest = words.into_iter();
    let mut done: Vec<OsString> = rest.by_ref().take(2).collect();
    let mut moved: Vec<OsString> = Vec::new();
    while let Some(word) = rest.next() {
        match classify(&word.to_string_lossy(), run) {
            Word::Program => {
                done.extend([OsString::from("--"), word]);
                break;
            }
            Word::End => {
                done.push(word);
                done.extend(rest.next());
                break;
            }
            Word::Moved { value, numbers } => {
                let text = word.to_string_lossy().into_owned();
                moved.push(text.split('=').next().unwrap_or_default().into());
                let left = numbers.saturating_sub(usize::from(value.is_some()));
                moved.extend(value.map(OsString::from));
                moved.extend(rest.by_ref().take(left));
            }
            Word::Alone => done.push(word),
            Word::WithNext => {
                done.push(word);
                done.extend(rest.next());
            }
            Word::OneDash { next } => {
                let mut long = OsString::from("-");
                long.push(word);
                done.push(long);
                if next {
                    done.extend(rest.next());
                }
            }
        }
    }
    done.extend(moved);
    done.extend(rest);
    done
}

enum Word {
    Program,
    /// `--`
    End,
    /// An option that is complete, or that nobody knows.
    Alone,
    /// An option whose value is the next word.
    WithNext,
    /// A long option with one dash.
    OneDash {
        next: bool,
    },
    /// An option of the modelled system, with the number behind its `=` if there is one, and how many it takes.
    Moved {
        value: Option<String>,
        numbers: usize,
    },
}

fn classify(word: &str, run: &Command) -> Word {
    let find = |wanted: &dyn Fn(&Arg) -> bool| run.get_arguments().find(|arg| wanted(arg));
    let valued = |arg: &Arg| arg.get_action().takes_values();
    let (name, complete) = word.split_once('=').map_or((word, false), |(name, _)| (name, true));
    let long = |name: &str| find(&|arg| arg.get_long() == Some(name));
    let pending = |option: Option<&Arg>| !complete && option.is_some_and(valued);
    let alone = |next: bool| if next { Word::WithNext } else { Word::Alone };
    if word == "--" {
        return Word::End;
    }
    if let Some((_, numbers)) = crate::world::option(name) {
        let value = word.split_once('=').map(|(_, value)| value.to_string());
        return Word::Moved { value, numbers };
    }
    if let Some(name) = name.strip_prefix("--") {
        return alone(pending(long(name)));
    }
    let Some(letters) = name.strip_prefix('-').filter(|letters| !letters.is_empty()) else { return Word::Program };
    let short = find(&|arg| arg.get_short() == letters.chars().next());
    match (short, long(letters)) {
        (Some(short), _) => alone(letters.chars().count() == 1 && pending(Some(short))),
        (None, Some(option)) => Word::OneDash { next: pending(Some(option)) },
        (None, None) if crate::klee::knows(letters) => Word::OneDash { next: false },
        (None, None) => Word::Alone,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn check(typed: &str, expected: &str) {
        let words = typed.split(' ').map(OsString::from).collect();
        let mut strata = crate::Arguments::command();
        strata.build();
        let done = rewrite(words, &strata);
        assert_eq!(done.join(std::ffi::OsStr::new(" ")).to_string_lossy(), expected);
    }

    #[test]
    fn the_program_ends_the_options() {
        check("strata run a.c --json", "strata run -- a.c --json");
        check("strata run -- a.c --json", "strata run -- a.c --json");
        check("strata run --jobs 2 --json a.c -x", "strata run --jobs 2 --json -- a.c -x");
        check("strata run --jobs=2 -O2 -I . -DX=1 -D Y a.c", "strata run --jobs=2 -O2 -I . -DX=1 -D Y -- a.c");
        check("strata run --check -div a.c", "strata run --check -div -- a.c");
        check("strata solve -max-time a", "strata solve -max-time a");
    }

    #[test]
    fn options_of_the_system_go_behind_the_program() {
        check("strata run --sym-args 0 2 8 --json a.c -x", "strata run --json -- a.c --sym-args 0 2 8 -x");
        check("strata run -sym-stdin=4 --sym-stdout -- a.c b", "strata run -- a.c -sym-stdin 4 --sym-stdout b");
        check("strata run --sym-lengths a.c b", "strata run -- a.c --sym-lengths b");
    }

    #[test]
    fn one_dash_is_enough_for_long_options() {
        check("strata run -max-time=60s -json a.c -json", "strata run --max-time=60s --json -- a.c -json");
        check("strata run -search dfs a.c", "strata run --search dfs -- a.c");
        check("strata run -nope a.c", "strata run -nope -- a.c");
        check("strata run -libc=uclibc -json a.c", "strata run --libc=uclibc --json -- a.c");
    }
}
