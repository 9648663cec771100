"""Pages: HTML to visible text, links, images and embedded markup."""
