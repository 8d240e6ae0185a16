/// A drawing with its finding and a table of the same numbers.
package struct Chart: Sendable, Hashable {
    /// The markup of the drawing, with the role `img` and the finding as its name.
    ///
    /// It is one `svg`, or rows with one each.
    package var svg: String
    /// The finding that the drawing shows, which is also its heading.
    package var finding: String
    /// The numbers of the drawing.
    package var table: ChartTable

    package init(svg: String, finding: String, table: ChartTable) {
        self.svg = svg
        self.finding = finding
        self.table = table
    }
}

/// The numbers of a chart as texts; the first column is the heading of each row.
package struct ChartTable: Sendable, Hashable {
    /// The headings of the columns.
    package var columns: [String]
    /// The rows, each with a text for each column.
    package var rows: [[String]]

    package init(columns: [String], rows: [[String]]) {
        self.columns = columns
        self.rows = rows
    }

    /// Returns the table as HTML, in a region that scrolls separately.
    package func html(caption: String) -> String {
        let head = columns.map { "<th scope=\"col\">\(HTMLText.escaped($0))</th>" }.joined()
        let body = rows.map { row in
            let cells = row.enumerated().map { index, text in
                let text = HTMLText.escaped(text)
                return index == 0
                    ? "<th scope=\"row\" dir=\"auto\">\(text)</th>" : "<td>\(text)</td>"
            }
            return "<tr>\(cells.joined())</tr>"
        }
        return """
            <div class="chart-table" role="region" aria-label="\(HTMLText.escaped(caption))" \
            tabindex="0"><table><caption class="hidden">\(HTMLText.escaped(caption))</caption>\
            <thead><tr>\(head)</tr></thead><tbody>\(body.joined())</tbody></table></div>
            """
    }
}
