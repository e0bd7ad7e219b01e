//! The tools: arguments, results, handlers of a few lines. One file a topic.

mod arguments;
mod routes;
mod stations;
mod tickets;
mod transfers;
