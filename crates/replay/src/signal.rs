//! Signals by name, for messages.

/// `SIGSEGV`, or `signal 42` where it has no name.
pub fn name(signal: i32) -> String {
    let name = match signal {
        libc::SIGHUP => "SIGHUP",
        libc::SIGINT => "SIGINT",
        libc::SIGQUIT => "SIGQUIT",
        libc::SIGILL => "SIGILL (illegal instruction)",
        libc::SIGTRAP => "SIGTRAP (trap)",
        libc::SIGABRT => "SIGABRT (abort)",
        libc::SIGBUS => "SIGBUS (bus error)",
        libc::SIGFPE => "SIGFPE (arithmetic error)",
        libc::SIGKILL => "SIGKILL",
        libc::SIGUSR1 => "SIGUSR1",
        libc::SIGSEGV => "SIGSEGV (segmentation fault)",
        libc::SIGUSR2 => "SIGUSR2",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGALRM => "SIGALRM",
        libc::SIGTERM => "SIGTERM",
        libc::SIGXCPU => "SIGXCPU (processor time)",
        libc::SIGXFSZ => "SIGXFSZ (file size)",
        libc::SIGSYS => "SIGSYS (bad system call)",
        _ => return format!("signal {signal}"),
    };
    name.into()
}
