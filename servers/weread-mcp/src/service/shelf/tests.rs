//! What a list of notes tells, and what it does not.

use super::*;

/// A list of notes that ends early says nothing of the books that it has not come to.
#[test]
fn without_its_end_the_list_tells_of_no_book_that_it_has_no_notes() {
    let id: BookId = "1".parse().expect("an id");
    for (counted, has_notes) in [(0, Some(false)), (1, None)] {
        let shelf = Shelf {
            books: vec![Book::unnamed(id.clone())],
            ..Shelf::default()
        };
        let notebooks = Notebooks {
            total_books: Some(counted),
            ..Notebooks::default()
        };
        let collection = Collection::of(Ok(Arc::new(shelf)), Ok(Arc::new(notebooks)));
        let found: Vec<_> = collection.books.iter().map(Owned::has_notes).collect();
        assert_eq!(found, [has_notes], "{counted}");
    }
}
