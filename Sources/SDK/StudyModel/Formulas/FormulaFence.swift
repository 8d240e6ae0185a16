/// A delimiter that is as high as what it encloses.
struct FormulaFence {
    /// The box of the delimiter, with its middle on the axis; `nil` for one that does not grow, such as a slash.
    let box: FormulaBox?

    /// Draws a delimiter.
    ///
    /// - Parameters:
    ///   - delimiter: The character.
    ///   - height: The height in em.
    ///   - size: The size of the letters beside it.
    init(_ delimiter: String, height: Double, size: Double) {
        let width = 0.34 * size
        let axis = -FormulaLayout.axis * size
        let (top, bottom) = (axis - height / 2, axis + height / 2)
        let (left, right) = (0.08 * size, width - 0.08 * size)
        let lines: [[(Double, Double)]]? =
            switch delimiter {
            case "(": [Self.bow(from: right, to: left, top, bottom)]
            case ")": [Self.bow(from: left, to: right, top, bottom)]
            case "[": [[(right, top), (left, top), (left, bottom), (right, bottom)]]
            case "]": [[(left, top), (right, top), (right, bottom), (left, bottom)]]
            case "⌊": [[(left, top), (left, bottom), (right, bottom)]]
            case "⌋": [[(right, top), (right, bottom), (left, bottom)]]
            case "⌈": [[(right, top), (left, top), (left, bottom)]]
            case "⌉": [[(left, top), (right, top), (right, bottom)]]
            case "⟨": [[(right, top), (left, axis), (right, bottom)]]
            case "⟩": [[(left, top), (right, axis), (left, bottom)]]
            case "{": [Self.brace(from: right, to: left, top, bottom)]
            case "}": [Self.brace(from: left, to: right, top, bottom)]
            case "|", "∣": [[(width / 2, top), (width / 2, bottom)]]
            case "‖", "∥": [[(left, top), (left, bottom)], [(right, top), (right, bottom)]]
            default: nil
            }
        guard let lines else {
            box = nil
            return
        }
        var drawn = FormulaBox(width: width, ascent: -top, descent: bottom)
        for line in lines { drawn.stroke(line, FormulaLayout.rule * size * 1.1) }
        box = drawn
    }

    /// A parenthesis: a parabola between two heights.
    private static func bow(
        from start: Double, to end: Double, _ top: Double, _ bottom: Double
    ) -> [(Double, Double)] {
        (0...16).map { step in
            let share = Double(step) / 16
            let bend = 4 * share * (1 - share)
            return (start + (end - start) * bend, top + (bottom - top) * share)
        }
    }

    /// A brace between two heights, its point in the middle.
    private static func brace(
        from start: Double, to end: Double, _ top: Double, _ bottom: Double
    ) -> [(Double, Double)] {
        profile.map { (start + (end - start) * $0.out, top + (bottom - top) * $0.along) }
    }

    /// A lying brace, its point at a height beyond its ends.
    static func brace(
        from start: Double, width: Double, y: Double, height: Double
    ) -> [(Double, Double)] {
        profile.map { (start + width * $0.along, y + height * $0.out) }
    }

    /// The shape of a brace: how far along it, and how far out.
    private static let profile: [(along: Double, out: Double)] = [
        (0, 0), (0.03, 0.3), (0.08, 0.5), (0.42, 0.5), (0.47, 0.7), (0.5, 1), (0.53, 0.7),
        (0.58, 0.5), (0.92, 0.5), (0.97, 0.3), (1, 0),
    ]
}
