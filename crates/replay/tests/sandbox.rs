//! The sandbox against a program that tries to get out of it. Where the kernel grants no sandbox, its refusal is tested instead.
#![cfg(target_arch = "x86_64")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use strata_replay::{Ending, Input, Limits, Note, Observed, Refusal, Sandbox};

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("strata-replay-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    folder
}

/// The guest, compiled once.
fn guest() -> PathBuf {
    static GUEST: OnceLock<PathBuf> = OnceLock::new();
    let compile = || {
        let path = folder().join("guest");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/guest.c");
        let flags = ["-static", "-nostdlib", "-O1", "-fno-stack-protector", "-fno-tree-loop-distribute-patterns", "-w"];
        let compiled = Command::new("cc").args(flags).args([source, "-o"]).arg(&path).status().expect("cc runs");
        assert!(compiled.success());
        path
    };
    GUEST.get_or_init(compile).clone()
}

fn limits() -> Limits {
    Limits { wall: Duration::from_secs(5), ..Limits::default() }
}

/// A sandbox; nothing where this machine grants none, after looking at how that is said.
fn sandbox(limits: Limits) -> Option<Sandbox> {
    match Sandbox::new(&guest(), limits) {
        Ok(sandbox) => Some(sandbox),
        Err(refusal @ (Refusal::Namespaces(_) | Refusal::Setup(..))) => {
            let message = refusal.to_string();
            assert!(message.contains("namespaces"), "{message}");
            println!("this machine grants no sandbox: {message}");
            None
        }
        Err(refusal) => panic!("{refusal}"),
    }
}

fn run(sandbox: &mut Sandbox, words: &[&str]) -> Observed {
    let arguments: Vec<Vec<u8>> = ["guest"].iter().chain(words).map(|word| word.as_bytes().to_vec()).collect();
    let input =
        Input { ktest: b"KTEST bytes", arguments: &arguments, stdin: b"typed\n", branches: 2, ..Input::default() };
    sandbox.run(&input).expect("the program runs")
}

/// Each row: what the guest is told, how it must end, what it must print.
#[test]
fn what_a_program_does_is_seen_and_what_it_may_not_fails() {
    const ENOENT: i32 = libc::ENOENT;
    const ENOSYS: i32 = libc::ENOSYS;
    use Ending::{Exit, Signal};
    let rows: &[(&str, Ending, &str)] = &[
        ("exit 0", Exit(0), ""),
        ("exit 7", Exit(7), ""),
        ("segv", Signal(libc::SIGSEGV), ""),
        ("div", Signal(libc::SIGFPE), ""),
        ("abort", Signal(libc::SIGABRT), "before"),
        ("pipe", Signal(libc::SIGPIPE), ""),
        ("cat", Exit(0), "typed\n"),
        ("test", Exit(0), "KTEST bytes"),
        ("arguments  x", Exit(4), "guest;arguments;;x;"),
        ("passwd", Exit(ENOENT), ""),
        ("proc", Exit(ENOENT), ""),
        ("up", Exit(ENOENT), ""),
        ("leave", Exit(0), ""),
        ("list", Exit(0), "dev;"),
        ("fill", Exit(libc::ENOSPC), ""),
        ("memory", Exit(libc::ENOMEM), ""),
        ("network", Exit(ENOSYS), ""),
        ("local", Exit(ENOSYS), ""),
        ("exec", Exit(ENOSYS), ""),
        ("execveat", Exit(ENOSYS), ""),
        ("mount", Exit(ENOSYS), ""),
        ("chroot", Exit(ENOSYS), ""),
        ("unshare", Exit(ENOSYS), ""),
        ("ptrace", Exit(ENOSYS), ""),
        ("uring", Exit(ENOSYS), ""),
        ("killall", Exit(0), ""),
        ("bomb", Exit(0), ""),
        ("uid", Exit(0), ""),
        ("limit of the supervisor", Exit(libc::EPERM), ""),
        ("own limits", Exit(0), ""),
        ("take the program's place", Exit(libc::EBADF), ""),
        ("descriptors", Exit(0), ""),
        ("shrink", Exit(0), ""),
        ("test", Exit(0), "KTEST bytes"),
        ("list", Exit(0), "dev;"),
    ];
    // Files may grow beyond what the root holds.
    let Some(mut sandbox) = sandbox(Limits { file: 1 << 40, ..limits() }) else { return };
    for (words, ending, output) in rows {
        // Names of several words are one argument where the guest knows them.
        let split =
            if words.contains("limit") || words.contains("place") { vec![*words] } else { words.split(' ').collect() };
        let observed = run(&mut sandbox, &split);
        assert_eq!(
            (observed.ending, String::from_utf8_lossy(&observed.stdout).as_ref()),
            (*ending, *output),
            "{words}"
        );
        assert!(observed.stderr.is_empty(), "{words}");
    }
}

#[test]
fn only_plain_files_are_kept() {
    let outside = folder().join(format!("kept-{}", std::process::id()));
    let _ = fs::remove_dir_all(&outside);
    fs::create_dir_all(&outside).expect("a folder");
    fs::set_permissions(&outside, fs::Permissions::from_mode(0o777)).expect("its mode");
    let kept = strata_replay::Kept { inside: "/kept".into(), outside: outside.clone(), quota: 1 << 30 };
    let mut sandbox = match Sandbox::keeping(&guest(), limits(), Some(&kept)) {
        Ok(sandbox) => sandbox,
        Err(refusal) => return eprintln!("nothing is tested: {refusal}"),
    };
    let observed = run(&mut sandbox, &["leave things"]);
    assert_eq!(observed.ending, Ending::Exit(0));
    drop(sandbox);
    let mode =
        |name: &str| fs::symlink_metadata(outside.join(name)).map(|about| about.permissions().mode() & 0o7777).ok();
    assert_eq!([mode("link"), mode("pipe")], [None, None]);
    assert_eq!((mode("plain"), mode("raised")), (Some(0o600), Some(0o755)));
    fs::remove_dir_all(&outside).expect("the folder can be removed");
}

#[test]
fn shares_of_memory_and_of_the_kept_folder_hold() {
    let Some(mut sandbox) = sandbox(Limits { resident: 100 << 20, ..limits() }) else { return };
    for what in ["take memory", "take memory silently"] {
        let input = [b"guest".to_vec(), what.as_bytes().to_vec()];
        let taken = sandbox.run(&Input { arguments: &input, ..Input::default() });
        assert!(matches!(taken, Err(Refusal::Memory(share)) if share == 100 << 20), "{what}: {taken:?}");
        sandbox = Sandbox::new(&guest(), Limits { resident: 100 << 20, ..limits() }).expect("as before");
    }
    assert_eq!(run(&mut sandbox, &["exit", "4"]).ending, Ending::Exit(4));
    let outside = folder().join("quota");
    let _ = fs::remove_dir_all(&outside);
    fs::create_dir_all(&outside).expect("a folder");
    fs::set_permissions(&outside, fs::Permissions::from_mode(0o777)).expect("its mode");
    let kept = strata_replay::Kept { inside: "/kept".into(), outside: outside.clone(), quota: 16 << 20 };
    let mut sandbox = Sandbox::keeping(&guest(), limits(), Some(&kept)).expect("as before");
    let input = [b"guest".to_vec(), b"fill the folder".to_vec()];
    let filled = sandbox.run(&Input { arguments: &input, ..Input::default() });
    assert!(matches!(&filled, Err(Refusal::Quota(place, _)) if *place == outside), "{filled:?}");
    drop(sandbox);
    fs::remove_dir_all(&outside).expect("the folder can be removed");
}

#[test]
fn branches_and_notes_come_back() {
    let Some(mut sandbox) = sandbox(limits()) else { return };
    let observed = run(&mut sandbox, &["branches", "3"]);
    let hash = |count: u64| (1..=count).fold(0u64, |hash, which| (hash ^ which).wrapping_mul(0x100_0000_01b3));
    assert_eq!((observed.page.count, observed.page.hash, observed.page.hash_at_stop), (3, hash(3), hash(2)));
    assert_eq!(
        (observed.ending, &*observed.stdout, &*observed.stderr),
        (Ending::Exit(3), &b"out\n"[..], &b"err\n"[..])
    );
    let observed = run(&mut sandbox, &["foreign"]);
    assert_eq!((observed.page.note, observed.page.message.as_str()), (Note::Foreign, "no object y in the test"));
    assert!(run(&mut sandbox, &["assume"]).page.assume_failed);
    let observed = run(&mut sandbox, &["branches", "0"]);
    assert_eq!((observed.page.count, observed.page.note), (0, Note::None), "nothing is left of earlier tests");
}

#[test]
fn addresses_are_the_same_in_every_run() {
    let Some(mut one) = sandbox(limits()) else { return };
    let Some(mut other) = sandbox(limits()) else { return };
    let first = run(&mut one, &["addresses"]).stdout;
    assert_eq!(first.len(), 16);
    for sandbox in [&mut one, &mut other] {
        assert_eq!(run(sandbox, &["addresses"]).stdout, first);
    }
}

#[test]
fn time_limits_hold() {
    let Some(mut sleeper) = sandbox(Limits { wall: Duration::from_millis(200), ..limits() }) else { return };
    for what in ["hang", "spin"] {
        let start = Instant::now();
        assert_eq!(run(&mut sleeper, &[what]).ending, Ending::TimedOut);
        let time = start.elapsed();
        assert!(time >= Duration::from_millis(190) && time < Duration::from_secs(3), "{what} took {time:?}");
    }
    assert_eq!(run(&mut sleeper, &["exit", "4"]).ending, Ending::Exit(4), "the next test is not touched");
    let Some(mut spinner) = sandbox(Limits { cpu: Duration::from_secs(1), ..limits() }) else { return };
    assert_eq!(run(&mut spinner, &["spin"]).ending, Ending::TimedOut);
}

#[test]
fn output_is_kept_up_to_a_limit_and_files_are_limited() {
    let Some(mut sandbox) = sandbox(Limits { output: 100_000, file: 1 << 20, ..limits() }) else { return };
    let observed = run(&mut sandbox, &["much"]);
    assert_eq!((observed.ending, observed.stdout.len(), observed.stderr.len()), (Ending::Exit(0), 100_000, 100_000));
    assert!(observed.cut && observed.stdout.iter().all(|&byte| byte == b'm'));
    assert!(!run(&mut sandbox, &["cat"]).cut);
    assert_eq!(run(&mut sandbox, &["fill"]).ending, Ending::Signal(libc::SIGXFSZ));
}

#[test]
fn several_sandboxes_work_at_once_and_end() {
    if sandbox(limits()).is_none() {
        return;
    }
    let before = children();
    std::thread::scope(|scope| {
        for worker in 0..4 {
            scope.spawn(move || {
                let mut sandbox = sandbox(limits()).expect("as before");
                for round in 0..50 {
                    let status = (worker + round) % 10;
                    let observed = run(&mut sandbox, &["exit", &status.to_string()]);
                    assert_eq!(observed.ending, Ending::Exit(status));
                }
            });
        }
    });
    // Other tests have sandboxes of their own.
    assert!(children() <= before + 8, "sandboxes are left");
}

fn children() -> usize {
    let tasks = fs::read_dir("/proc/self/task").expect("Linux").flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists.map(|list| list.split_whitespace().count()).sum()
}

#[test]
fn what_cannot_be_started_is_named() {
    if sandbox(limits()).is_none() {
        return;
    }
    let refusal = |path: PathBuf| {
        let input = Input::default();
        Sandbox::new(&path, limits()).and_then(|mut sandbox| sandbox.run(&input)).unwrap_err().to_string()
    };
    let text = folder().join("text");
    fs::write(&text, "#!/bin/sh\n").unwrap();
    assert!(refusal(text).contains("no program for this machine"));
    assert!(refusal(folder().join("missing")).contains("cannot be started"));
    let broken = folder().join("broken");
    fs::write(&broken, b"\x7fELF and nothing else").unwrap();
    assert!(refusal(broken).contains("no program for this machine"));
    let dynamic = folder().join("dynamic");
    fs::write(folder().join("dynamic.c"), "int main(void) { return 0; }").unwrap();
    let compiled =
        Command::new("cc").arg(folder().join("dynamic.c")).arg("-o").arg(&dynamic).status().expect("cc runs");
    assert!(compiled.success());
    let message = refusal(dynamic);
    assert!(message.contains("linked statically"), "{message}");
    let Some(mut sandbox) = sandbox(limits()) else { return };
    let arguments = [vec![b'x'; 5 << 20]];
    let refused = sandbox.run(&Input { arguments: &arguments, ..Input::default() });
    assert!(matches!(refused, Err(Refusal::Arguments)));
    assert_eq!(run(&mut sandbox, &["exit", "1"]).ending, Ending::Exit(1));
}

/// Tells the test that it runs where the kernel grants nothing.
const CHILD: &str = "STRATA_TEST_WITHOUT_NAMESPACES";

/// A kernel that grants nothing, made within a user namespace of our own, where this machine can make one. The test runs itself there.
#[test]
fn without_namespaces_nothing_runs() {
    if std::env::var_os(CHILD).is_some() {
        return match Sandbox::new(&guest(), limits()) {
            Ok(_) => println!("GRANTED"),
            Err(refusal) => println!("REFUSED: {refusal}"),
        };
    }
    let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all \"$@\"";
    let test = std::env::current_exe().expect("this test");
    let output = Command::new("unshare")
        .args(["-Ur", "sh", "-c", script, "sh"])
        .arg(test)
        .args(["--exact", "without_namespaces_nothing_runs", "--nocapture"])
        .env(CHILD, "1")
        .output();
    let Ok(output) = output else { return println!("no unshare here") };
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    if !text.contains("running 1 test") {
        return println!("no user namespace to try this in: {text}");
    }
    assert!(text.contains("REFUSED: the kernel grants no namespaces"), "{text}");
    // It is root there, and is not told to become root.
    assert!(text.contains("this root may not make one") && !text.contains("run as root"), "{text}");
}

/// Root needs no user namespaces: the others do. Tried in a user namespace of our own in which
/// there are no more of them.
#[test]
fn root_replays_without_user_namespaces() {
    let id = Command::new("id").arg("-u").output().expect("id runs");
    if id.stdout != b"0\n" {
        return println!("only root can try this");
    }
    let mut holder = match Command::new("unshare").args(["-U", "sleep", "30"]).spawn() {
        Ok(holder) => holder,
        Err(error) => return println!("no unshare here: {error}"),
    };
    // Until the namespace is there, the maps are those of the machine and cannot be written.
    let map = |name: &str| {
        let path = format!("/proc/{}/{name}", holder.id());
        (0..100).any(|_| {
            std::thread::sleep(Duration::from_millis(20));
            fs::write(&path, "0 0 65536\n").is_ok()
        })
    };
    let mapped = map("uid_map") && map("gid_map");
    let script = "echo 0 > /proc/sys/user/max_user_namespaces && ! unshare -U true && exec \"$@\"";
    let mut command = Command::new("nsenter");
    command.args(["-U", "-S", "0", "-G", "0", "-t"]).arg(holder.id().to_string()).args(["sh", "-c", script, "sh"]);
    command.arg(std::env::current_exe().expect("this test"));
    let name = "what_a_program_does_is_seen_and_what_it_may_not_fails";
    let output = command.args(["--exact", name, "--nocapture"]).output().expect("nsenter runs");
    holder.kill().and_then(|()| holder.wait()).expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    if !mapped || !text.contains("running 1 test") {
        return println!("no user namespace to try this in: {text}");
    }
    assert!(output.status.success() && !text.contains("grants no sandbox"), "{text}");
}
