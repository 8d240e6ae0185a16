#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI
import Underway

/// A formula on a line of its own, which scrolls by itself if it is wide; a mistake shows the source.
struct FormulaView: View {
    private let formula: Formula
    @ScaledMetric(relativeTo: .body) private var bodySize: CGFloat = 17
    @Environment(\.textScale) private var scale
    @Environment(\.studyFormats) private var formats

    init(_ formula: Formula) { self.formula = formula }

    var body: some View {
        let spoken = formula.spokenText(formats.words.formulaWords)
        if let box = FormulaCache.box(of: formula) {
            ScrollView(.horizontal) {
                FormulaDrawing(box, em: bodySize * scale)
                    .padding(.vertical, StudyStyle.gapSmall)
            }
            .environment(\.layoutDirection, .leftToRight)
            .accessibilityElement(children: .ignore)
            .accessibilityLabel(spoken)
        } else {
            Text(verbatim: formula.tex).font(StudyStyle.code)
        }
    }
}

/// The drawing of a formula in the colour of its surroundings.
struct FormulaDrawing: View {
    private let box: FormulaBox
    private let em: CGFloat

    /// Draws a box whose em has a length in points.
    init(_ box: FormulaBox, em: CGFloat) {
        self.box = box
        self.em = em
    }

    var body: some View {
        Canvas { [box, em] context, _ in
            Self.draw(box, em: em, in: context)
        }
        .frame(width: CGFloat(box.width) * em, height: CGFloat(box.height) * em)
    }

    private static func draw(_ box: FormulaBox, em: CGFloat, in context: GraphicsContext) {
        func point(_ place: FormulaBox.Point) -> CGPoint {
            CGPoint(x: CGFloat(place.x) * em, y: CGFloat(place.y + box.ascent) * em)
        }
        for run in box.runs {
            let text = context.resolve(
                Text(verbatim: run.text)
                    .font(FormulaFont.font(run.face, size: CGFloat(run.size) * em))
                    .foregroundStyle(.foreground))
            let room = CGSize(
                width: CGFloat.greatestFiniteMagnitude, height: .greatestFiniteMagnitude)
            let start = point(run.place)
            context.draw(
                text, at: CGPoint(x: start.x, y: start.y - text.firstBaseline(in: room)),
                anchor: .topLeading)
        }
        for stroke in box.strokes {
            var path = Path()
            for (index, place) in stroke.points.enumerated() {
                index == 0 ? path.move(to: point(place)) : path.addLine(to: point(place))
            }
            context.stroke(
                path, with: .style(.foreground),
                style: StrokeStyle(
                    lineWidth: max(1, CGFloat(stroke.thickness) * em), lineJoin: .round))
        }
    }
}
#endif
