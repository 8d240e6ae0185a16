/// Option curves as inline SVG: fractions from the least to the most able tenth.
struct OptionCurvePicture {
    private static let width = 320.0
    private static let height = 180.0
    private static let left = 34.0
    private static let bottom = 24.0
    private static let top = 8.0

    private let curves: AnswerReport.Curves
    private let key: Int?
    private let proposed: Int?

    /// Creates a picture; the proposed key is a label of the curves.
    init(_ curves: AnswerReport.Curves, proposed: String?) {
        self.curves = curves
        key = curves.options.firstIndex(of: curves.key)
        self.proposed = proposed.flatMap { curves.options.firstIndex(of: $0) }
    }

    /// The picture as SVG.
    var svg: String {
        let order = curves.options.indices.sorted { rank($0) < rank($1) }
        let label = AnswerReportPage.escaped(
            "Shares of each answer from weak to able people; the key is \(curves.key)"
        )
        return "<svg viewBox=\"0 0 \(Int(Self.width)) \(Int(Self.height))\" role=\"img\" "
            + "aria-label=\"\(label)\">\(axes)\(order.map(line).joined())</svg>"
    }

    /// Returns the drawing order: the key and the proposal come last, above the others.
    private func rank(_ option: Int) -> Int {
        option == key ? 1 : option == proposed ? 2 : 0
    }

    private var axes: String {
        let marks = [0.0, 0.5, 1.0].map { share in
            let y = y(share)
            return "<line x1=\"\(Self.left)\" x2=\"\(Self.width - 24)\" y1=\"\(y)\" y2=\"\(y)\" "
                + "stroke=\"currentColor\" opacity=\".2\"/><text x=\"\(Self.left - 4)\" "
                + "y=\"\(y + 4)\" font-size=\"11\" text-anchor=\"end\" fill=\"currentColor\">"
                + "\(Int(share * 100))</text>"
        }
        return marks.joined() + text(Self.left, "weak", "start")
            + text(Self.width - 24, "able", "end")
    }

    private func text(_ x: Double, _ word: String, _ anchor: String) -> String {
        "<text x=\"\(x)\" y=\"\(Self.height - 6)\" font-size=\"11\" text-anchor=\"\(anchor)\" "
            + "fill=\"currentColor\">\(word)</text>"
    }

    private func line(_ option: Int) -> String {
        let colour = option == key ? "--key" : option == proposed ? "--new" : "--other"
        let dash = option == key ? " stroke-dasharray=\"6 4\"" : ""
        let weight = rank(option) == 0 ? "1.25" : "2.5"
        let points = curves.groups.enumerated().map { index, group in
            "\(x(index)),\(y(group.shares[option]))"
        }
        let end = curves.groups.last.map { group in
            "<text x=\"\(Self.width - 20)\" y=\"\(y(group.shares[option]) + 4)\" font-size=\"11\" "
                + "fill=\"var(\(colour))\">\(AnswerReportPage.escaped(String(curves.options[option].prefix(4))))</text>"
        }
        return "<polyline points=\"\(points.joined(separator: " "))\" fill=\"none\" "
            + "stroke=\"var(\(colour))\" stroke-width=\"\(weight)\"\(dash)/>\(end ?? "")"
    }

    private func x(_ index: Int) -> Double {
        let span = Self.width - 24 - Self.left
        let steps = Double(max(1, curves.groups.count - 1))
        return ((Self.left + span * Double(index) / steps) * 10).rounded() / 10
    }

    private func y(_ share: Double) -> Double {
        let span = Self.height - Self.bottom - Self.top
        return ((Self.top + span * (1 - share)) * 10).rounded() / 10
    }
}
