//! The program between template and cluster failed. Helm `pkg/postrender`, Flux postRenderers.

use crate::failure::rule::{Rule, opaque};

pub(super) const RULES: &[Rule] = &[
    opaque("error while running post render", "error while running post render on files: (?:error while running command (?P<command>[^ ]+)\\. error output:)?").with_message(),
    opaque("post-renderer", "post-renderer \"(?P<command>[^\"]+)\" produced empty output"),
    opaque("post-renderer", "failed to invoke post-renderer plugin \"(?P<command>[^\"]+)\"").with_message(),
    opaque("post render", "(?:failed|unable|error) (?:to |while |during )?(?:run|running|executing)? ?post[- ]render(?:er|ing)?").likely(),
    opaque("already registered id", "may not add resource with an already registered id: (?P<id>[^ ]+)"),
    opaque("no matches for Id", "no matches for Id (?P<id>[^ ;]+)"),
];
