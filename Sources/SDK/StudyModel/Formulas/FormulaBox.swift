/// A formula as it is drawn: where its texts and strokes stand.
///
/// All lengths are in em of the text around the formula. The baseline is at `y = 0`, and `y` grows downwards.
package struct FormulaBox: Sendable, Hashable {
    /// The letters of a text.
    package enum Face: Sendable, Hashable {
        case upright
        case italic
        case bold
    }

    /// A place.
    package struct Point: Sendable, Hashable {
        package var x: Double
        package var y: Double

        package init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
    }

    /// A text on one line, with its start on its baseline.
    package struct Run: Sendable, Hashable {
        package var text: String
        package var face: Face
        /// The size of its letters.
        package var size: Double
        package var place: Point
        package var width: Double
    }

    /// A line through places: a rule, a root, a bracket that grew.
    package struct Stroke: Sendable, Hashable {
        package var points: [Point]
        package var thickness: Double
    }

    package var runs: [Run] = []
    package var strokes: [Stroke] = []
    package var width: Double
    /// The height above the baseline.
    package var ascent: Double
    /// The depth below the baseline.
    package var descent: Double

    package var height: Double { ascent + descent }

    /// Creates an empty box.
    init(width: Double = 0, ascent: Double = 0, descent: Double = 0) {
        (self.width, self.ascent, self.descent) = (width, ascent, descent)
    }

    /// Adds a box at a place of its baseline's start; the size grows to hold it.
    mutating func add(_ other: FormulaBox, x: Double, y: Double = 0) {
        runs += other.runs.map { run in
            var moved = run
            moved.place = Point(run.place.x + x, run.place.y + y)
            return moved
        }
        strokes += other.strokes.map { stroke in
            Stroke(
                points: stroke.points.map { Point($0.x + x, $0.y + y) },
                thickness: stroke.thickness)
        }
        width = max(width, x + other.width)
        ascent = max(ascent, other.ascent - y)
        descent = max(descent, other.descent + y)
    }

    /// Adds a line through places.
    mutating func stroke(_ points: [(Double, Double)], _ thickness: Double) {
        strokes.append(Stroke(points: points.map { Point($0.0, $0.1) }, thickness: thickness))
    }
}

extension FormulaBox {
    /// A part of a formula that is a line of text: its letters, raised or lowered.
    package struct Piece: Sendable, Hashable {
        package var text: String
        package var face: Face
        package var size: Double
        /// The height of its baseline above that of the line.
        package var raise: Double
    }

    /// The formula as a line of text, which wraps and is selected with the text around it; `nil` for one that is
    /// two-dimensional.
    package var pieces: [Piece]? {
        guard strokes.isEmpty else { return nil }
        var pieces: [Piece] = []
        var end = 0.0
        for run in runs {
            let gap = run.place.x - end
            guard gap > -0.05, abs(run.place.y) < 0.6, run.size <= 1 else { return nil }
            pieces.append(
                Piece(
                    text: Self.space(gap) + run.text, face: run.face, size: run.size,
                    raise: -run.place.y))
            end = run.place.x + run.width
        }
        return pieces
    }

    /// The space of Unicode that is nearest to a width.
    private static func space(_ width: Double) -> String {
        switch width {
        case ..<0.1: ""
        case ..<0.19: "\u{2006}"
        case ..<0.25: "\u{205F}"
        case ..<0.6: "\u{2004}"
        default: "\u{2003}"
        }
    }
}
