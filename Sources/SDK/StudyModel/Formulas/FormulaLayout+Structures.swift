import Underway

/// Scripts, fractions, roots and accents.
extension FormulaLayout {
    func scripts(
        on base: FormulaNode, sub: FormulaNode?, sup: FormulaNode?,
        _ placement: FormulaLimitsPlacement
    ) -> FormulaBox {
        let nucleus = box(of: base)
        if placement == .fixedLimits || (placement == .limits && isDisplayed) {
            return limits(nucleus, sub, sup)
        }
        var box = nucleus
        let isLetter = nucleus.strokes.isEmpty && nucleus.ascent <= Self.letters.ascent * size
        let start = nucleus.width + (isLetter ? 0 : 0.05 * size)
        if let sup {
            let raise = isLetter ? 0.36 * size : nucleus.ascent - 0.3 * size
            box.add(inScript.row(sup), x: start, y: -raise)
        }
        if let sub {
            let lower = isLetter ? 0.22 * size : nucleus.descent + 0.05 * size
            box.add(inScript.row(sub), x: start, y: lower)
        }
        return box
    }

    /// Returns a part with others above and below it, each in the middle.
    func limits(_ base: FormulaBox, _ below: FormulaNode?, _ above: FormulaNode?) -> FormulaBox {
        let (below, above) = (below.map(inScript.row), above.map(inScript.row))
        let width = max(base.width, below?.width ?? 0, above?.width ?? 0)
        var box = FormulaBox(width: width)
        box.add(base, x: (width - base.width) / 2)
        let gap = 0.1 * size
        if let above {
            box.add(above, x: (width - above.width) / 2, y: -(base.ascent + gap + above.descent))
        }
        if let below {
            box.add(below, x: (width - below.width) / 2, y: base.descent + gap + below.ascent)
        }
        return box
    }

    func fraction(
        _ top: FormulaNode, _ bottom: FormulaNode, _ style: FormulaFractionStyle
    ) -> FormulaBox {
        var layout = self
        if style != .inherited { layout.isDisplayed = style == .displayed }
        return layout.stacked(top, bottom, hasRule: true)
    }

    /// Returns a part above another one, on the axis: of the full size in a displayed formula.
    func stacked(_ top: FormulaNode, _ bottom: FormulaNode, hasRule: Bool) -> FormulaBox {
        let inner = isDisplayed ? inLine : inScript
        let (upper, lower) = (inner.row(top), inner.row(bottom))
        let side = 0.1 * size
        let width = max(upper.width, lower.width) + 2 * side
        let (axis, gap) = (-Self.axis * size, Self.gap * size)
        var box = FormulaBox(width: width)
        box.add(upper, x: (width - upper.width) / 2, y: axis - gap - upper.descent)
        box.add(lower, x: (width - lower.width) / 2, y: axis + gap + lower.ascent)
        if hasRule { box.stroke([(side / 2, axis), (width - side / 2, axis)], Self.rule * size) }
        return box
    }

    func root(_ radicand: FormulaNode, _ index: FormulaNode?) -> FormulaBox {
        let inner = row(radicand)
        let degree = index.map(inScript.inScript.row)
        let (gap, rule) = (Self.gap * size, Self.rule * size)
        let (top, bottom) = (-(inner.ascent + gap), inner.descent)
        let sign = 0.6 * size
        let start = max(0, (degree?.width ?? 0) - 0.3 * size)
        let middle = top + (bottom - top) * 0.6
        var box = FormulaBox(ascent: -top + rule, descent: bottom)
        box.add(inner, x: start + sign)
        box.width += 0.05 * size
        box.stroke(
            [
                (start, middle + 0.06 * size), (start + 0.14 * size, middle),
                (start + 0.3 * size, bottom), (start + 0.52 * size, top), (box.width, top),
            ], rule)
        if let degree {
            box.add(degree, x: start + 0.25 * size - degree.width, y: middle - 0.15 * size)
        }
        return box
    }

    func accented(_ base: FormulaNode, _ accent: String, isWide: Bool) -> FormulaBox {
        var box = box(of: base)
        let width = isWide ? box.width : min(box.width, 0.45 * size)
        let start = (box.width - width) / 2
        let (gap, thickness) = (0.08 * size, Self.rule * size)
        if ["_", "⏟"].contains(accent) {
            let y = box.descent + gap
            let line = Self.line("‾", from: start, width: width, y: y, size: size)
            let brace = FormulaFence.brace(from: start, width: width, y: y, height: 0.25 * size)
            box.stroke(accent == "_" ? line : brace, thickness)
            box.descent = y + (accent == "_" ? thickness : 0.25 * size)
            return box
        }
        let y = -(box.ascent + gap)
        if accent == "⏞" {
            let brace = FormulaFence.brace(from: start, width: width, y: y, height: -0.25 * size)
            box.stroke(brace, thickness)
        } else if ["→", "←", "^", "ˇ", "‾", "¯", "~", "´", "`", "˘"].contains(accent) {
            box.stroke(
                Self.line(accent, from: start, width: width, y: y, size: size), thickness)
        } else {
            // Dots and rings are letters that stand high above their baseline.
            let sign = text(accent)
            box.add(
                sign, x: (box.width - sign.width) / 2, y: y + 0.55 * size)
        }
        box.ascent = -y + 0.25 * size
        return box
    }

    /// Returns the line of an accent above a height.
    private static func line(
        _ accent: String, from start: Double, width: Double, y: Double, size: Double
    ) -> [(Double, Double)] {
        let (end, middle) = (start + width, start + width / 2)
        let (up, head) = (0.14 * size, 0.1 * size)
        switch accent {
        case "→":
            return [
                (start, y - head), (end, y - head), (end - head, y - 2 * head), (end, y - head),
                (end - head, y),
            ]
        case "←":
            return [
                (end, y - head), (start, y - head), (start + head, y - 2 * head),
                (start, y - head), (start + head, y),
            ]
        case "^": return [(start, y), (middle, y - up), (end, y)]
        case "ˇ", "˘": return [(start, y - up), (middle, y), (end, y - up)]
        case "´": return [(middle, y), (end, y - up)]
        case "`": return [(start, y - up), (middle, y)]
        case "~":
            return (0...12).map { step in
                let share = Double(step) / 12
                let wave = share < 0.5 ? share * (0.5 - share) : -(share - 0.5) * (1 - share)
                return (start + share * width, y - up / 2 - wave * 8 * up)
            }
        default: return [(start, y), (end, y)]
        }
    }
}
