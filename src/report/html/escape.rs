//! Foreign text that stays text in HTML and SVG, in elements and in quoted attributes.

use std::fmt;

/// Text to be written with its markup characters escaped.
pub(super) struct Text<'a>(pub(super) &'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
            let (before, from) = rest.split_at(at);
            f.write_str(before)?;
            let mut characters = from.chars();
            f.write_str(match characters.next() {
                Some('&') => "&amp;",
                Some('<') => "&lt;",
                Some('>') => "&gt;",
                Some('"') => "&quot;",
                _ => "&#39;",
            })?;
            rest = characters.as_str();
        }
        f.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_opens_a_tag_or_closes_an_attribute() {
        assert_eq!(
            Text("<a href=\"x\" on='y'>&amp;</a>").to_string(),
            "&lt;a href=&quot;x&quot; on=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;"
        );
        assert_eq!(Text("shop").to_string(), "shop");
    }
}
