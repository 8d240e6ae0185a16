import Foundation

/// The markup of a drawing without `viewBox`: widths in percent, heights in pixels.
///
/// Text has the same size at every width. For right-to-left text, every horizontal position is mirrored, and the
/// drawing has that direction, so that `start` of a text is its right end.
package struct ChartDrawing {
    /// The position of a text beside its point.
    package enum Anchor: String {
        case start, middle, end
    }

    private let isRightToLeft: Bool
    private var parts: [String] = []

    package init(isRightToLeft: Bool) {
        self.isRightToLeft = isRightToLeft
    }

    /// Returns a number with at most two decimals and a decimal point, in any language.
    package static func number(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
        let sign = hundredths < 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(whole)" }
        let digits = rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)"
        return "\(sign)\(whole).\(digits)"
    }

    /// Returns a position from 0 at the start to 1 at the end as percent from the left.
    package func percent(_ place: Double) -> Double {
        100 * (isRightToLeft ? 1 - place : place)
    }

    private func percentText(_ place: Double) -> String {
        Self.number(percent(place)) + "%"
    }

    /// Adds a horizontal line of the whole width.
    package mutating func rule(y: Double, class name: String) {
        let y = Self.number(y)
        parts.append("<line class=\"\(name)\" x1=\"0%\" x2=\"100%\" y1=\"\(y)\" y2=\"\(y)\"/>")
    }

    /// Adds a horizontal line between two positions.
    package mutating func rule(from start: Double, to end: Double, y: Double, class name: String) {
        let (x1, x2, y) = (percentText(start), percentText(end), Self.number(y))
        parts.append(
            "<line class=\"\(name)\" x1=\"\(x1)\" x2=\"\(x2)\" y1=\"\(y)\" y2=\"\(y)\"/>")
    }

    /// Adds a vertical line.
    package mutating func upright(
        at place: Double, from top: Double, to bottom: Double, class name: String
    ) {
        let (x, y1, y2) = (percentText(place), Self.number(top), Self.number(bottom))
        parts.append(
            "<line class=\"\(name)\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(y1)\" y2=\"\(y2)\"/>")
    }

    /// Adds a rectangle, with a tooltip if there is a title.
    package mutating func rectangle(
        from start: Double, to end: Double, y: Double, height: Double, radius: Double = 0,
        class name: String, title: String? = nil
    ) {
        let x = Self.number(min(percent(start), percent(end)))
        let width = Self.number(100 * abs(end - start))
        let round = radius > 0 ? " rx=\"\(Self.number(radius))\"" : ""
        let tag =
            "<rect class=\"\(name)\" x=\"\(x)%\" y=\"\(Self.number(y))\" width=\"\(width)%\""
            + " height=\"\(Self.number(height))\"\(round)"
        parts.append(
            title.map { "\(tag)><title>\(HTMLText.escaped($0))</title></rect>" } ?? "\(tag)/>")
    }

    /// Adds a circle.
    package mutating func circle(at place: Double, y: Double, radius: Double, class name: String) {
        parts.append(
            "<circle class=\"\(name)\" cx=\"\(percentText(place))\" cy=\"\(Self.number(y))\""
                + " r=\"\(Self.number(radius))\"/>")
    }

    /// Adds a text, `shift` pixels further towards the end.
    package mutating func text(
        _ text: String, at place: Double, y: Double, shift: Double = 0, anchor: Anchor = .start,
        class name: String
    ) {
        let dx = shift == 0 ? "" : " dx=\"\(Self.number(isRightToLeft ? -shift : shift))\""
        parts.append(
            "<text class=\"\(name)\" x=\"\(percentText(place))\" y=\"\(Self.number(y))\"\(dx)"
                + " text-anchor=\"\(anchor.rawValue)\">\(HTMLText.escaped(text))</text>")
    }

    /// Adds lines and areas with positions relative to the width and a height.
    ///
    /// They are stretched without their strokes: a nested `svg` of 100 by 100 units.
    package mutating func paths(y: Double, height: Double, _ paths: [ChartPath]) {
        let drawn = paths.filter { $0.points.count > 1 }.map { path in
            let steps = path.points.enumerated().map { index, point in
                let (x, y) = (percent(point.x), 100 * point.y)
                return "\(index == 0 ? "M" : "L")\(Self.number(x)) \(Self.number(y))"
            }.joined()
            let fill = path.isClosed ? "" : " fill=\"none\""
            return "<path class=\"\(path.name)\" d=\"\(steps)\(path.isClosed ? "Z" : "")\"\(fill)"
                + " vector-effect=\"non-scaling-stroke\"/>"
        }
        parts.append(
            "<svg x=\"0\" y=\"\(Self.number(y))\" width=\"100%\" height=\"\(Self.number(height))\""
                + " viewBox=\"0 0 100 100\" preserveAspectRatio=\"none\" overflow=\"visible\">"
                + drawn.joined() + "</svg>")
    }

    /// Returns the drawing as a part of another one, which has the name of both.
    package func part(height: Double) -> String {
        "<svg aria-hidden=\"true\" width=\"100%\" height=\"\(Self.number(height))\">"
            + parts.joined() + "</svg>"
    }

    /// Returns the drawing.
    ///
    /// - Parameters:
    ///   - id: An id that is unique on the page.
    ///   - finding: The name of the drawing.
    ///   - height: The height in pixels.
    ///   - name: The class in addition to `chart`, which reserves room for labels.
    /// - Returns: The `svg` element.
    package func svg(id: String, finding: String, height: Double, class name: String) -> String {
        let id = HTMLText.escaped(id)
        return "<svg class=\"chart \(name)\" role=\"img\" aria-labelledby=\"\(id)-name\""
            + " width=\"100%\" height=\"\(Self.number(height))\" overflow=\"visible\""
            + " direction=\"\(isRightToLeft ? "rtl" : "ltr")\">"
            + "<title id=\"\(id)-name\">\(HTMLText.escaped(finding))</title>"
            + parts.joined() + "</svg>"
    }
}

/// A line, or an area if it is closed; points from 0 to 1, x from start to end, y from the top down.
package struct ChartPath {
    package var name: String
    package var points: [(x: Double, y: Double)]
    package var isClosed = false

    package init(name: String, points: [(x: Double, y: Double)], isClosed: Bool = false) {
        self.name = name
        self.points = points
        self.isClosed = isClosed
    }
}
