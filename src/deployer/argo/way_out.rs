//! What makes Argo CD go on: `argocd` (3.x) commands, and the same with kubectl alone.

use super::application::Application;
use crate::deployer::quote::quote;
use crate::object::ObjectRef;
use crate::report::{Risk, WayOut};

const RESOURCE: &str = "applications.argoproj.io";

/// `NAMESPACE/NAME`, which every `argocd app` command takes.
fn qualified(application: &Application) -> String {
    quote(&format!("{}/{}", application.metadata.namespace, application.metadata.name)).into_owned()
}

fn patch(application: &Application, patch: &str) -> String {
    let (namespace, name) = (quote(&application.metadata.namespace), quote(&application.metadata.name));
    format!("kubectl -n {namespace} patch {RESOURCE} {name} --type=merge -p '{patch}'")
}

/// Look at it.
pub fn get(application: &Application) -> String {
    format!("argocd app get {} --show-operation", qualified(application))
}

/// List the windows of its project.
pub fn list_windows(application: &Application) -> String {
    format!("argocd proj windows list {}", quote(&application.spec.project))
}

/// Start a sync.
pub fn sync(application: &Application, title: &str) -> Vec<WayOut> {
    vec![WayOut {
        title: title.into(),
        risk: Risk::Restarts,
        who: "on call".into(),
        commands: vec![
            format!("argocd app sync {}", qualified(application)),
            patch(application, r#"{"operation":{"initiatedBy":{"username":"kubectl"},"sync":{}}}"#),
        ],
        then: "Argo CD applies what Git wants now and overwrites hand-made changes to those fields".into(),
    }]
}

/// After a failed operation.
pub fn try_again(application: &Application) -> Vec<WayOut> {
    sync(
        application,
        "after the cause is gone, sync by hand or commit: a failed sync is not tried again for the same \
         commit, not by self-heal, refresh or a restart either",
    )
}

/// End the present operation.
pub fn terminate(application: &Application) -> Vec<WayOut> {
    vec![WayOut {
        title: "end the operation, if what it waits for will not come".into(),
        risk: Risk::Safe,
        who: "on call".into(),
        commands: vec![
            format!("argocd app terminate-op {}", qualified(application)),
            patch(application, r#"{"status":{"operationState":{"phase":"Terminating"}}}"#),
        ],
        then:
            "what was applied stays; a newer commit should then be taken up, the terminated one is not tried \
               again by itself"
                .into(),
    }]
}

/// A window forbids it.
pub fn window(application: &Application) -> Vec<WayOut> {
    vec![WayOut {
        title: "wait for the window, or ask its owner to open it".into(),
        risk: Risk::Safe,
        who: "owner of the AppProject".into(),
        commands: vec![
            list_windows(application),
            format!(
                "kubectl -n {} get appprojects.argoproj.io {} -o jsonpath={{.spec.syncWindows}}",
                quote(&application.metadata.namespace),
                quote(&application.spec.project)
            ),
        ],
        then: "once no window forbids it the sync starts by itself, within about a minute".into(),
    }]
}

/// Delete what Git no longer has.
pub fn prune(application: &Application, objects: &[ObjectRef]) -> Vec<WayOut> {
    let mut commands: Vec<String> = objects
        .iter()
        .map(|object| {
            let resource = format!("{}:{}:{}/{}", object.group(), object.kind, object.namespace, object.name);
            format!("argocd app sync {} --prune --resource {}", qualified(application), quote(&resource))
        })
        .collect();
    commands.push(patch(
        application,
        r#"{"operation":{"initiatedBy":{"username":"kubectl"},"sync":{"prune":true}}}"#,
    ));
    vec![WayOut {
        title: "let Argo CD delete what Git no longer has, or put it back into Git".into(),
        risk: Risk::Destructive,
        who: "owner of the chart".into(),
        commands,
        then: "the objects are deleted; spec.syncPolicy.automated.prune does it by itself from then on"
            .into(),
    }]
}

/// See field by field what differs.
pub fn diff(application: &Application) -> Vec<WayOut> {
    vec![WayOut {
        title: "see which fields differ".into(),
        risk: Risk::Safe,
        who: "on call".into(),
        commands: vec![format!("argocd app diff {}", qualified(application))],
        then:
            "put the value into Git, or take out of Git what the API server does not store; for an HPA leave \
               the field out, or ignore it with RespectIgnoreDifferences=true"
                .into(),
    }]
}

/// Look at the controller.
pub fn look_at_controller(application: &Application) -> Vec<WayOut> {
    let namespace = quote(&application.metadata.namespace);
    vec![WayOut {
        title: "look at the application controller; leave the Application alone".into(),
        risk: Risk::Safe,
        who: "cluster admin".into(),
        commands: vec![
            format!(
                "kubectl -n {namespace} get pods -l app.kubernetes.io/name=argocd-application-controller"
            ),
            format!(
                "kubectl -n {namespace} logs -l app.kubernetes.io/name=argocd-application-controller --tail=200"
            ),
        ],
        then: "once it runs it compares Git and cluster by itself".into(),
    }]
}
