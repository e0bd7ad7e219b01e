//! Forms of a page and words on it, read by an HTML parser.

use std::fmt;

use scraper::{ElementRef, Html, Node, Selector};
use url::Url;

/// A form, with what a browser would send of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Form {
    /// Where it is sent.
    pub action: Url,
    /// What is sent, in page order: no disabled field, no box that is not ticked, and of the buttons the
    /// first only, which is the one that Enter presses.
    pub fields: Vec<Field>,
}

/// One field of a form.
#[derive(Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name, never empty.
    pub name: String,
    /// Its `type` in lower case, such as `hidden`, `text`, `password` and `submit`; else `select` or
    /// `textarea`.
    pub kind: String,
    /// What is sent: first the page's own value. It may be secret.
    pub value: String,
    /// The words in the field while it is empty, if any.
    pub placeholder: String,
}

impl Form {
    /// The first form of a page that sends a field of this name. `base` is the page's address.
    pub fn with_input(html: &str, base: &Url, name: &str) -> Option<Self> {
        Self::all(html, base)
            .into_iter()
            .find(|form| form.has(name))
    }

    /// Every form of a page in page order, save those whose address cannot be read.
    pub fn all(html: &str, base: &Url) -> Vec<Self> {
        let page = Html::parse_document(html);
        let told = select(&page, "base[href]").first().copied();
        let told = told.and_then(|tag| base.join(tag.attr("href")?).ok());
        let told = told.as_ref().unwrap_or(base);
        let mut forms = Vec::new();
        let mut controls = Vec::new();
        for element in select(&page, "form, input, button, select, textarea") {
            if element.value().name() == "form" {
                forms.push(element);
            } else if is_enabled(element)
                && let Some(owner) = owner(&page, element, forms.last().copied())
            {
                controls.push((owner, element));
            }
        }
        let read = |form: ElementRef<'_>| {
            let action = match form.attr("action").map(str::trim) {
                None | Some("") => base.clone(),
                Some(action) => told.join(action).ok()?,
            };
            let mut fields = Vec::new();
            let mut has_button = false;
            for (_, control) in controls.iter().filter(|(owner, _)| *owner == form) {
                let kind = kind(*control);
                // A button without a name is pressed all the same, and nothing is sent for it.
                if kind != "submit" || !std::mem::replace(&mut has_button, true) {
                    fields.extend(field(*control, kind));
                }
            }
            Some(Self { action, fields })
        };
        forms.iter().copied().filter_map(read).collect()
    }

    /// Whether a field of this name is sent.
    pub fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|field| field.name == name)
    }

    /// Puts a value into the first field of this name, and tells whether there is one. None is made up.
    pub fn fill(&mut self, name: &str, value: &str) -> bool {
        let field = self.fields.iter_mut().find(|field| field.name == name);
        field
            .map(|field| value.clone_into(&mut field.value))
            .is_some()
    }

    /// Names and values as they are sent, for [`crate::Request::form`].
    pub fn pairs(&self) -> Vec<(&str, &str)> {
        let pairs = self.fields.iter();
        pairs
            .map(|field| (field.name.as_str(), field.value.as_str()))
            .collect()
    }
}

/// Without address and values: both may hold secrets.
impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.fields).finish()
    }
}

/// Without the value.
impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.kind)
    }
}

/// The visible text of the first element that a CSS selector matches, white space collapsed; `None` when
/// nothing matches or the selector is none. Empty where the element is hidden.
pub fn text_of(html: &str, selector: &str) -> Option<String> {
    let page = Html::parse_document(html);
    let first = *select(&page, selector).first()?;
    let mut text = String::new();
    let mut before = None;
    for node in first.descendants() {
        match node.value() {
            Node::Text(words) => {
                let above = || node.ancestors().filter_map(ElementRef::wrap);
                if above().any(is_hidden) {
                    continue;
                }
                let block = above().find(|element| !INLINE.contains(&element.value().name()));
                if before != block {
                    text.push(' ');
                }
                before = block;
                text.push_str(words);
            }
            Node::Element(element) if element.name() == "br" => text.push(' '),
            _ => {}
        }
    }
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The title of a page, white space collapsed; `None` without one.
pub fn title(html: &str) -> Option<String> {
    text_of(html, "title").filter(|title| !title.is_empty())
}

/// Elements whose text runs on in that around them.
const INLINE: [&str; 16] = [
    "a", "abbr", "b", "bdi", "bdo", "code", "em", "font", "i", "label", "mark", "small", "span",
    "strong", "sub", "u",
];

/// As far as the page itself says; style sheets are not read.
fn is_hidden(element: ElementRef<'_>) -> bool {
    let style = element.attr("style").unwrap_or_default();
    let style: String = style.split_whitespace().collect();
    let never = ["script", "style", "template", "noscript"];
    never.contains(&element.value().name())
        || element.attr("hidden").is_some()
        || style.to_ascii_lowercase().contains("display:none")
}

fn is_enabled(control: ElementRef<'_>) -> bool {
    let above = || control.ancestors().filter_map(ElementRef::wrap);
    let allows = |element: ElementRef<'_>| match element.value().name() {
        "template" | "datalist" => false,
        "fieldset" if element.attr("disabled").is_some() => {
            let mut children = element.child_elements();
            let legend = children.find(|child| child.value().name() == "legend");
            legend.is_some_and(|legend| above().any(|element| element == legend))
        }
        _ => true,
    };
    control.attr("disabled").is_none() && above().all(allows)
}

/// The form that a control belongs to. `last` is the form that began last before it.
fn owner<'a>(
    page: &'a Html,
    control: ElementRef<'a>,
    last: Option<ElementRef<'a>>,
) -> Option<ElementRef<'a>> {
    let is_form = |element: &ElementRef<'_>| element.value().name() == "form";
    if let Some(id) = control.attr("form") {
        let named = select(page, "[id]")
            .into_iter()
            .find(|element| element.attr("id") == Some(id));
        return named.filter(is_form);
    }
    let mut above = control.ancestors().filter_map(ElementRef::wrap);
    // The parser leaves a form that begins between the rows of a table empty, and its fields stand
    // beside it.
    let beside = || {
        last.filter(|form| {
            let parent = form.parent().and_then(ElementRef::wrap);
            parent.is_some_and(|parent| {
                let between = ["table", "tbody", "thead", "tfoot", "tr"];
                between.contains(&parent.value().name())
                    && control.ancestors().any(|above| above == *parent)
            })
        })
    };
    above.find(is_form).or_else(beside)
}

fn kind(control: ElementRef<'_>) -> String {
    let said = control
        .attr("type")
        .unwrap_or_default()
        .to_ascii_lowercase();
    match (control.value().name(), said.as_str()) {
        ("input", "") => "text".to_owned(),
        ("input", _) | ("button", "button" | "reset") => said,
        ("button", _) => "submit".to_owned(),
        (other, _) => other.to_owned(),
    }
}

/// What one control sends. Files and pictures that are buttons are left out.
fn field(control: ElementRef<'_>, kind: String) -> Vec<Field> {
    let attribute = |name| control.attr(name).unwrap_or_default().to_owned();
    let values = match kind.as_str() {
        "button" | "reset" | "image" | "file" => Vec::new(),
        "checkbox" | "radio" if control.attr("checked").is_none() => Vec::new(),
        "checkbox" | "radio" => vec![control.attr("value").unwrap_or("on").to_owned()],
        "select" => chosen(control),
        "textarea" => vec![control.text().collect()],
        _ => vec![attribute("value")],
    };
    let (name, placeholder) = (attribute("name"), attribute("placeholder"));
    let field = |value| Field {
        name: name.clone(),
        kind: kind.clone(),
        value,
        placeholder: placeholder.clone(),
    };
    let values = values.into_iter().filter(|_| !name.is_empty());
    values.map(field).collect()
}

/// The values of the options that are chosen: in a plain list the last of them, else the first option.
fn chosen(list: ElementRef<'_>) -> Vec<String> {
    let options = list.descendants().filter_map(ElementRef::wrap);
    let options: Vec<_> = options
        .filter(|element| element.value().name() == "option" && is_enabled(*element))
        .collect();
    let mut chosen = options.clone();
    chosen.retain(|option| option.attr("selected").is_some());
    if list.attr("multiple").is_none() {
        let one = chosen.last().or(options.first()).copied();
        chosen = one.into_iter().collect();
    }
    let value = |option: ElementRef<'_>| match option.attr("value") {
        Some(value) => value.to_owned(),
        None => {
            let text: String = option.text().collect();
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        }
    };
    chosen.into_iter().map(value).collect()
}

fn select<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    let selector = Selector::parse(selector);
    selector
        .map(|selector| page.select(&selector).collect())
        .unwrap_or_default()
}
