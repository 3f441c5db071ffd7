//! The tree of a game record: nodes with properties. It knows neither files nor the rules of a
//! game.
//!
//! The tree is an arena: nodes in one vector, properties in another, links are indices. Nothing
//! recurses, so deep trees need no stack. Values are kept as they are written between their
//! brackets, so that what was read is written unchanged.

use std::num::NonZeroU32;

/// A node of one tree. In another tree it is a different node or none; looking up none is a panic.
// The index in the arena plus 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    const ROOT: Self = Self(NonZeroU32::MIN);

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The links of a node, and the end of its properties. They begin where those of the node before it
/// end.
#[derive(Clone, Default, Debug)]
struct Node {
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
    properties_end: u32,
}

/// A name with one or more values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    pub(super) ident: String,
    /// As written, including escapes.
    pub(super) written: Vec<String>,
}

impl Property {
    /// The name: one or more capitals.
    pub fn ident(&self) -> &str {
        &self.ident
    }

    /// The values as plain text.
    pub fn values(&self) -> impl Iterator<Item = String> {
        self.written.iter().map(|value| plain(value))
    }
}

/// One game: nodes from a root. The first child of each node is the main line.
///
/// Two trees are equal if they have the same shape and properties. The order of insertion does not
/// count.
#[derive(Clone, Debug)]
pub struct GameTree {
    nodes: Vec<Node>,
    properties: Vec<Property>,
}

impl Default for GameTree {
    /// A tree of one node, without properties.
    fn default() -> Self {
        Self { nodes: vec![Node::default()], properties: Vec::new() }
    }
}

impl GameTree {
    /// The root: the start of the game.
    pub fn root(&self) -> NodeId {
        NodeId::ROOT
    }

    /// The children of a node, main line first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.node(node).first_child, |&child| self.node(child).next_sibling)
    }

    /// The properties of a node, in the order of the text.
    pub fn properties(&self, node: NodeId) -> &[Property] {
        let index = node.index();
        let start = index.checked_sub(1).map_or(0, |before| self.nodes[before].properties_end);
        &self.properties[start as usize..self.nodes[index].properties_end as usize]
    }

    /// Every value of a property of a node, as plain text.
    pub fn values(&self, node: NodeId, ident: &str) -> impl Iterator<Item = String> {
        let named = self.properties(node).iter().filter(move |property| property.ident == ident);
        named.flat_map(Property::values)
    }

    /// The first value of a property of a node, as plain text.
    pub fn text(&self, node: NodeId, ident: &str) -> Option<String> {
        self.values(node, ident).next()
    }

    /// The nodes from the root to a leaf. `choices` has one index, from 0, for each branching node;
    /// after the last choice the line follows the main line. `None` if there is no such variation.
    pub fn line(&self, choices: &[usize]) -> Option<Vec<NodeId>> {
        let mut choices = choices.iter().copied();
        let mut node = self.root();
        let mut line = vec![node];
        while let Some(first) = self.node(node).first_child {
            let branches = self.node(node).last_child != Some(first);
            let choice = if branches { choices.next().unwrap_or(0) } else { 0 };
            node = self.children(node).nth(choice)?;
            line.push(node);
        }
        choices.next().is_none().then_some(line)
    }

    /// Appends a node without properties to the children of its parent.
    pub fn add(&mut self, parent: NodeId) -> NodeId {
        let count = u32::try_from(self.nodes.len()).ok();
        let place = count.and_then(|count| NodeId::ROOT.0.checked_add(count));
        let node = NodeId(place.expect("a tree has less than 2^32 nodes"));
        let properties_end = self.properties.len() as u32;
        self.nodes.push(Node { parent: Some(parent), properties_end, ..Node::default() });
        let elder = self.nodes[parent.index()].last_child.replace(node);
        match elder {
            Some(elder) => self.nodes[elder.index()].next_sibling = Some(node),
            None => self.nodes[parent.index()].first_child = Some(node),
        }
        node
    }

    /// Adds a property to the newest node. Does nothing without values.
    ///
    /// # Panics
    /// If the name is empty or has a character other than A to Z.
    pub fn put(&mut self, ident: &str, values: impl IntoIterator<Item = impl AsRef<str>>) {
        let capitals = ident.bytes().all(|letter| letter.is_ascii_uppercase());
        assert!(capitals && !ident.is_empty(), "'{}' names no property", ident.escape_debug());
        let written: Vec<_> = values.into_iter().map(|value| escaped(value.as_ref())).collect();
        if !written.is_empty() {
            self.push(Property { ident: ident.to_string(), written });
        }
    }

    /// Adds a property to the newest node.
    pub(super) fn push(&mut self, property: Property) {
        self.properties.push(property);
        if let Some(newest) = self.nodes.last_mut() {
            newest.properties_end = self.properties.len() as u32;
        }
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.index()]
    }

    /// Whether a node has no siblings.
    pub(super) fn is_only_child(&self, node: NodeId) -> bool {
        let parent = self.node(node).parent.map(|parent| self.node(parent));
        parent.is_some_and(|parent| parent.first_child == parent.last_child)
    }

    /// The next node in preorder. `leave` is called for each node whose subtree is finished.
    pub(super) fn next(&self, mut node: NodeId, mut leave: impl FnMut(NodeId)) -> Option<NodeId> {
        let first_child = self.node(node).first_child;
        if first_child.is_some() {
            return first_child;
        }
        loop {
            leave(node);
            let Node { next_sibling, parent, .. } = *self.node(node);
            if next_sibling.is_some() {
                return next_sibling;
            }
            node = parent?;
        }
    }

    /// What equality compares: the properties of each node and its links, in preorder.
    fn contents(&self) -> impl Iterator<Item = (&[Property], bool, bool)> {
        let order = std::iter::successors(Some(self.root()), |&node| self.next(node, |_| ()));
        order.map(|id| {
            let node = self.node(id);
            (self.properties(id), node.first_child.is_some(), node.next_sibling.is_some())
        })
    }
}

impl PartialEq for GameTree {
    fn eq(&self, other: &Self) -> bool {
        self.contents().eq(other.contents())
    }
}

impl Eq for GameTree {}

/// The plain text of a written value.
fn plain(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped = if letter == '\\' { letters.next() } else { None };
        match escaped {
            // An escaped line break is removed. It may have two characters.
            Some('\n') => drop(letters.next_if_eq(&'\r')),
            Some('\r') => drop(letters.next_if_eq(&'\n')),
            Some(itself) => text.push(itself),
            None => text.push(letter),
        }
    }
    text
}

/// A text as a written value, with escapes.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}
