#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI
import Underway

/// The boxes and pictures of the formulas that were shown last.
@MainActor enum FormulaCache {
    /// The most boxes, and the most pictures, that are kept.
    private static let countMax = 256
    private static var boxes: [Formula: FormulaBox] = [:]
    private static var pictures: [Drawn: Image] = [:]

    /// A formula as it was drawn.
    private struct Drawn: Hashable {
        let formula: Formula
        let em: CGFloat
        let displayScale: CGFloat
    }

    /// Returns the box of a formula; `nil` for one with a mistake.
    static func box(of formula: Formula) -> FormulaBox? {
        if let known = boxes[formula] { return known }
        // The layout asks in this call, on the main actor, where the fonts are.
        let box = FormulaLayout.box(of: formula) { text, face in
            MainActor.assumeIsolated { FormulaFont.width(text, face) }
        }
        if boxes.count >= countMax { boxes = [:] }
        boxes[formula] = box
        return box
    }

    /// Returns the drawing of a formula as an image that takes the colour of the text; `nil` where none can be drawn.
    static func picture(
        _ formula: Formula, _ box: FormulaBox, em: CGFloat, displayScale: CGFloat
    ) -> Image? {
        let drawn = Drawn(formula: formula, em: em, displayScale: displayScale)
        if let known = pictures[drawn] { return known }
        let renderer = ImageRenderer(content: FormulaDrawing(box, em: em))
        renderer.scale = displayScale
        #if os(macOS)
        let image = renderer.nsImage.map { Image(nsImage: $0) }
        #else
        let image = renderer.uiImage.map { Image(uiImage: $0) }
        #endif
        if pictures.count >= countMax { pictures = [:] }
        pictures[drawn] = image?.renderingMode(.template)
        return pictures[drawn]
    }
}

/// A formula within a line of text.
@MainActor struct FormulaText {
    let formula: Formula
    /// The size of the letters around it, in points.
    let em: CGFloat
    /// The pixels of a point.
    let displayScale: CGFloat
    let spoken: String

    /// The formula as a part of a text, which wraps with it: letters, raised and lowered, else a picture on the baseline.
    var text: Text {
        guard let box = FormulaCache.box(of: formula) else {
            return Text(verbatim: formula.tex).monospaced()
        }
        return (box.pieces.map(letters) ?? picture(box)).accessibilityLabel(spoken)
    }

    private func letters(_ pieces: [FormulaBox.Piece]) -> Text {
        pieces.reduce(Text(verbatim: "")) { text, piece in
            let letters = Text(verbatim: piece.text)
                .font(FormulaFont.font(piece.face, size: em * CGFloat(piece.size)))
                .baselineOffset(em * CGFloat(piece.raise))
            return Text("\(text)\(letters)")
        }
    }

    private func picture(_ box: FormulaBox) -> Text {
        guard
            let image = FormulaCache.picture(formula, box, em: em, displayScale: displayScale)
        else { return Text(verbatim: formula.plainText) }
        return Text(image).baselineOffset(-CGFloat(box.descent) * em)
    }
}
#endif
