// Names what Datasette leaves without a label, for screen readers.
"use strict";
const LABELS = { _filter_column: "Column", _filter_op: "Comparison", _filter_value: "Value", _sort: "Sort by" };
for (const [name, label] of Object.entries(LABELS)) {
  for (const one of document.querySelectorAll(`:is(select, input)[name^=${name}]`)) one.setAttribute("aria-label", label);
}
for (const one of document.querySelectorAll("main h3")) one.setAttribute("aria-level", "2");

// A table that is wider than the page can be scrolled with the keyboard.
for (const wrapper of document.querySelectorAll(".table-wrapper")) wrapper.tabIndex = 0;
