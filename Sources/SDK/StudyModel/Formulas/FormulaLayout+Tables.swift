import Underway

/// Delimiters, arrows and tables.
extension FormulaLayout {
    /// Returns a box between delimiters that are as high as it.
    func fenced(_ inner: FormulaBox, open: String, close: String) -> FormulaBox {
        let axis = Self.axis * size
        let reach = max(inner.ascent - axis, inner.descent + axis)
        var box = FormulaBox()
        box.add(fence(open, 2 * reach), x: 0)
        box.add(inner, x: box.width)
        box.add(fence(close, 2 * reach), x: box.width)
        return box
    }

    private func fence(_ delimiter: String, _ height: Double) -> FormulaBox {
        let letters = (Self.letters.ascent + Self.letters.descent + 0.1) * size
        guard height > letters else { return text(delimiter) }
        return FormulaFence(delimiter, height: height, size: size).box ?? text(delimiter)
    }

    /// Returns an arrow as long as its labels.
    func arrow(_ arrow: String, _ above: FormulaNode, _ below: FormulaNode?) -> FormulaBox {
        let (above, below) = (inScript.row(above), below.map(inScript.row))
        let width = max(1.4 * size, max(above.width, below?.width ?? 0) + 0.6 * size)
        let axis = -Self.axis * size
        var box = FormulaBox(width: width, ascent: 0.4 * size)
        let isBoth = ["⇌", "⇄", "⇋"].contains(arrow)
        let isBack = ["←", "⟵", "⇐"].contains(arrow)
        let apart = isBoth ? 0.07 * size : 0
        if !isBack { head(&box, at: width - 0.05 * size, -1, axis - apart) }
        if isBack || isBoth || arrow == "↔" || arrow == "⟷" {
            head(&box, at: 0.05 * size, 1, axis + apart)
        }
        let gap = 0.12 * size + apart
        box.add(above, x: (width - above.width) / 2, y: axis - gap - above.descent)
        if let below {
            box.add(below, x: (width - below.width) / 2, y: axis + gap + below.ascent)
        }
        return box
    }

    /// Draws an arrow's shaft from its head to the other end.
    private func head(_ box: inout FormulaBox, at tip: Double, _ side: Double, _ y: Double) {
        let (barb, thickness) = (0.13 * size, Self.rule * size)
        let other = side < 0 ? 0.05 * size : box.width - 0.05 * size
        box.stroke([(other, y), (tip, y)], thickness)
        box.stroke(
            [(tip + side * barb, y - barb), (tip, y), (tip + side * barb, y + barb)], thickness)
    }

    // MARK: Tables

    func table(_ table: FormulaTable) -> FormulaBox {
        var layout = isSmall(table.kind) ? inScript : inLine
        layout.isDisplayed = [.aligned, .gathered].contains(table.kind)
        let cells = table.rows.map { $0.map(layout.row) }
        let grid = layout.grid(cells, table)
        guard table.open + table.close != "" else { return grid }
        return fenced(grid, open: table.open, close: table.close)
    }

    private func isSmall(_ kind: FormulaTable.Kind) -> Bool {
        kind == .smallMatrix || kind == .substack
    }

    private func grid(_ cells: [[FormulaBox]], _ table: FormulaTable) -> FormulaBox {
        let columns = 0..<table.columnCount
        let widths = columns.map { column in
            cells.map { column < $0.count ? $0[column].width : 0 }.max() ?? 0
        }
        var grid = FormulaBox()
        var y = 0.0
        for (index, row) in cells.enumerated() {
            let ascent = max(Self.letters.ascent * size, row.map(\.ascent).max() ?? 0)
            y += index == 0 ? 0 : ascent + 0.25 * size
            var x = 0.0
            for (column, cell) in row.enumerated() {
                let room = widths[column] - cell.width
                grid.add(cell, x: x + room * share(table.alignment(ofColumn: column)), y: y)
                x += widths[column] + columnGap(table, after: column)
            }
            y += max(Self.letters.descent * size, row.map(\.descent).max() ?? 0)
        }
        grid.width = widths.reduce(0, +)
        for column in columns.dropLast() { grid.width += columnGap(table, after: column) }
        // Its middle stands on the axis.
        var box = FormulaBox()
        box.add(grid, x: 0, y: (grid.ascent - grid.descent) / 2 - Self.axis * size)
        (box.ascent, box.descent) = (
            grid.height / 2 + Self.axis * size, grid.height / 2 - Self.axis * size
        )
        return box
    }

    private func share(_ alignment: FormulaTable.Alignment) -> Double {
        switch alignment {
        case .left: 0
        case .center: 0.5
        case .right: 1
        }
    }

    private func columnGap(_ table: FormulaTable, after column: Int) -> Double {
        if table.kind == .aligned { return (column.isMultiple(of: 2) ? 0.2 : 2) * size }
        return (isSmall(table.kind) ? 0.5 : 0.9) * size
    }
}
