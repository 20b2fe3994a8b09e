//! Which of an Application's texts tells the reason.

use super::application::{Application, OperationState};
use crate::deployer::Statement;

/// Conditions that say why nothing is compared; `operationState` still tells of the sync before.
const BLOCKING: [&str; 3] = ["ComparisonError", "InvalidSpecError", "UnknownError"];

/// The lead of a failed operation that names nothing: a hook failed, and only the object's result has it.
const BARE: &str = "one or more synchronization tasks completed unsuccessfully";

/// The texts of an Application, the one with the cause first.
pub fn statements(application: &Application) -> Vec<Statement> {
    let name = application.as_object();
    let is_blocked = BLOCKING.iter().any(|kind| application.conditions(kind).next().is_some());
    let mut statements: Vec<Statement> = BLOCKING
        .iter()
        .flat_map(|kind| application.conditions(kind))
        .map(|condition| Statement {
            text: condition.message.clone(),
            source: format!("{name}, condition {}", condition.kind),
            is_current: true,
        })
        .collect();
    if let Some(state) = &application.status.operation_state {
        let is_failing = is_failing(application, state);
        if !state.message.is_empty() {
            statements.push(Statement {
                text: state.message.clone(),
                source: format!("{name}, status.operationState"),
                is_current: !is_blocked && is_failing && !is_bare(&state.message),
            });
        }
        statements.extend(state.sync_result.resources.iter().filter(|result| result.is_failed()).map(
            |result| Statement {
                text: result.message.clone(),
                source: format!("{name}, status.operationState.syncResult, {}", result.as_object()),
                is_current: !is_blocked && is_failing,
            },
        ));
    }
    statements.extend(application.conditions("SyncError").map(|condition| Statement {
        text: condition.message.clone(),
        source: format!("{name}, condition SyncError"),
        is_current: false,
    }));
    statements.sort_by_key(|statement| !statement.is_current);
    statements
}

/// The operation failed, or it is retried after a failure.
fn is_failing(application: &Application, state: &OperationState) -> bool {
    ["Failed", "Error"].contains(&application.phase())
        || (application.phase() == "Running" && is_retried(&state.message))
}

/// `…. Retrying attempt #2 at 1:08AM.`
pub fn is_retried(message: &str) -> bool {
    message.contains(". Retrying attempt #")
}

fn is_bare(message: &str) -> bool {
    message.strip_prefix(BARE).is_some_and(|rest| {
        rest.is_empty() || rest.starts_with(" (retried ") || rest.starts_with(". Retrying attempt")
    })
}
