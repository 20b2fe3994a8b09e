//! From the command line to the exit code.

use std::io;
use std::process::ExitCode;

use clap::Parser;

use super::args::{Cli, Command};
use super::exit::Exit;
use super::print::remark;
use super::{
    audit, capture, completion, decode, explain, help, history, man, owners, predict, rbac, redact, schema,
    why,
};

/// Deep JSON and YAML from a cluster is parsed on threads with this much stack.
const STACK: usize = 16 << 20;

/// Runs the program.
pub fn main() -> ExitCode {
    if let Some(answered) = completion::answered() {
        return answered;
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Clap exits with 2 on usage errors, which `--exit-code` uses for findings.
            let printed = error.print();
            return match printed {
                _ if error.use_stderr() => Exit::NoAnswer.into(),
                Err(lost) if lost.kind() != io::ErrorKind::BrokenPipe => {
                    remark(&format!("kubectl helm-forensics: the help could not be written whole: {lost}"));
                    Exit::NoAnswer.into()
                }
                _ => Exit::Ran.into(),
            };
        }
    };
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || answer(cli));
    let outcome = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => return Exit::NoAnswer.into(),
        Err(error) => Err(error.into()),
    };
    match outcome {
        Ok(exit) => exit.into(),
        Err(error) => {
            remark(&format!("kubectl helm-forensics: {}", words(&error)));
            Exit::NoAnswer.into()
        }
    }
}

fn answer(cli: Cli) -> anyhow::Result<Exit> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().thread_stack_size(STACK).build()?;
    let Cli { command, why, globals } = cli;
    runtime.block_on(async {
        match command.unwrap_or(Command::Why(why)) {
            Command::Why(args) => why::run(&args, &globals).await,
            Command::Audit(args) => audit::run(&args, &globals).await,
            Command::History(args) => history::run(&args, &globals).await,
            Command::Decode(args) => decode::run(&args, &globals),
            Command::Capture(args) => capture::run(&args, &globals).await,
            Command::Redact(args) => redact::run(&args, &globals),
            Command::Owners(args) => owners::run(&args, &globals).await,
            Command::Predict(args) => predict::run(&args, &globals).await,
            Command::Explain(args) => explain::run(&args, &globals),
            Command::Schema => schema::run(&globals),
            Command::Completion(args) => completion::run(&args, &globals),
            Command::Help(args) => help::run(&args, &globals),
            Command::Man(args) => man::run(&args),
            Command::Rbac => rbac::run(&globals),
        }
    })
}

/// The whole chain of an error in one sentence. Its words may come from a cluster.
fn words(error: &anyhow::Error) -> String {
    let chain: Vec<String> = error.chain().map(ToString::to_string).collect();
    crate::report::clean_text(&chain.join(": "))
}
