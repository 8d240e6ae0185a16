#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
public import SwiftUI

/// A colour of the study app in its light and its dark form, without an asset catalogue.
///
/// As a style it follows the environment: `Text(title).foregroundStyle(StudyColor.soft)`.
public struct StudyColor: ShapeStyle, Hashable {
    /// The form on light backgrounds: sRGB as 0xRRGGBB.
    public let light: UInt32
    /// The form on dark backgrounds: sRGB as 0xRRGGBB.
    public let dark: UInt32

    /// Creates a colour of two forms.
    public init(light: UInt32, dark: UInt32) {
        self.light = light
        self.dark = dark
    }

    /// Returns the form for the environment.
    public func resolve(in environment: EnvironmentValues) -> Color {
        color(for: environment.colorScheme)
    }

    /// Returns the form for an appearance, for places without styles, such as charts.
    public func color(for scheme: ColorScheme) -> Color {
        let value = scheme == .dark ? dark : light
        return Color(
            .sRGB, red: Self.part(value, 16), green: Self.part(value, 8),
            blue: Self.part(value, 0))
    }

    /// Returns one of the three parts, from 0 to 1.
    private static func part(_ value: UInt32, _ shift: UInt32) -> Double {
        Double((value >> shift) & 0xFF) / 255
    }
}

extension StudyColor {
    /// The background of a page.
    public static let page = StudyColor(light: 0xF7F7F4, dark: 0x111316)
    /// The background of a card.
    public static let card = StudyColor(light: 0xFFFFFF, dark: 0x1A1D22)
    /// The background of code and of empty tracks.
    public static let sunk = StudyColor(light: 0xEFEFEA, dark: 0x23272D)
    /// The colour of text.
    public static let ink = StudyColor(light: 0x1A1C20, dark: 0xECEDEF)
    /// The colour of secondary text.
    public static let soft = StudyColor(light: 0x545962, dark: 0xA9AFB9)
    /// The colour of separators.
    public static let line = StudyColor(light: 0xDEDED7, dark: 0x31363E)
    /// The colour of borders of controls.
    public static let edge = StudyColor(light: 0x7E828A, dark: 0x7F8794)
    /// The colour of links, the main button, focus, and the first series of a chart.
    public static let accent = StudyColor(light: 0x1C57A8, dark: 0x8DB8F5)
    /// The colour of text on the accent.
    public static let onAccent = StudyColor(light: 0xFFFFFF, dark: 0x0C1A2E)
    /// The background of a chosen or current item.
    public static let tint = StudyColor(light: 0xE8F0FB, dark: 0x1B2A40)
    /// The colour of right, done or added items.
    public static let right = StudyColor(light: 0x17693C, dark: 0x79D19B)
    /// The background of right items.
    public static let rightGround = StudyColor(light: 0xE4F4EA, dark: 0x152B1F)
    /// The colour of wrong items, blocking errors and removed items.
    public static let wrong = StudyColor(light: 0xA8281C, dark: 0xFF9C8F)
    /// The background of wrong items.
    public static let wrongGround = StudyColor(light: 0xFCEBE8, dark: 0x381B18)
    /// The colour of warnings, and of stale or differing items.
    public static let care = StudyColor(light: 0x7A4B00, dark: 0xEFC069)
    /// The background of a warning.
    public static let careGround = StudyColor(light: 0xFDF1D8, dark: 0x2F2512)
    /// The colour of the second series of a chart.
    public static let second = StudyColor(light: 0xA34A00, dark: 0xF0A35E)
    /// The colour of the third series of a chart.
    public static let third = StudyColor(light: 0x0B7277, dark: 0x5CC4C9)
    /// The colour of the fourth series of a chart.
    public static let fourth = StudyColor(light: 0x7A3E9D, dark: 0xC79BE4)
}
#endif
