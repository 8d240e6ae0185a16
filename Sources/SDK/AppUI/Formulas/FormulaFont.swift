#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI

#if os(macOS)
import AppKit
#else
import UIKit
#endif

/// The letters of formulas: those with serifs of the system, whose italics differ most from upright letters.
@MainActor enum FormulaFont {
    /// The size at which letters are measured.
    private static let measuredSize: CGFloat = 100
    /// The most widths that are kept.
    private static let widthsMax = 4_096
    private static var widths: [Letters: Double] = [:]

    private struct Letters: Hashable {
        let text: String
        let face: FormulaBox.Face
    }

    /// Returns the font for a face at a size in points.
    nonisolated static func font(_ face: FormulaBox.Face, size: CGFloat) -> Font {
        let upright = Font.system(
            size: size, weight: face == .bold ? .semibold : .regular, design: .serif)
        return face == .italic ? upright.italic() : upright
    }

    /// Returns the width of a text at a size of 1.
    static func width(_ text: String, _ face: FormulaBox.Face) -> Double {
        let letters = Letters(text: text, face: face)
        if let known = widths[letters] { return known }
        let size = (text as NSString).size(withAttributes: [.font: measuring(face)])
        if widths.count >= widthsMax { widths = [:] }
        let width = Double(size.width / measuredSize)
        widths[letters] = width
        return width
    }

    #if os(macOS)
    private static func measuring(_ face: FormulaBox.Face) -> NSFont {
        let plain = NSFont.systemFont(
            ofSize: measuredSize, weight: face == .bold ? .semibold : .regular)
        var descriptor = plain.fontDescriptor.withDesign(.serif) ?? plain.fontDescriptor
        if face == .italic { descriptor = descriptor.withSymbolicTraits(.italic) }
        return NSFont(descriptor: descriptor, size: measuredSize) ?? plain
    }
    #else
    private static func measuring(_ face: FormulaBox.Face) -> UIFont {
        let plain = UIFont.systemFont(
            ofSize: measuredSize, weight: face == .bold ? .semibold : .regular)
        var descriptor = plain.fontDescriptor.withDesign(.serif) ?? plain.fontDescriptor
        if face == .italic {
            descriptor = descriptor.withSymbolicTraits(.traitItalic) ?? descriptor
        }
        return UIFont(descriptor: descriptor, size: measuredSize)
    }
    #endif
}
#endif
