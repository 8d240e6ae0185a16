/// The colour that a browser gives to its own frame around a page (HTML Standard, section 4.2.5.1, `theme-color`).
package struct ThemeColor: Sendable {
    /// The ground of pages in the light: `--page` of `study.css`.
    package static let light = "#F7F7F4"
    /// The ground of pages in the dark.
    package static let dark = "#111316"

    /// The colour, as `#RRGGBB`.
    package let color: String
    /// The condition of the colour, a media query; `nil` for a colour without one.
    package let media: String?

    /// Returns the colours of a theme.
    ///
    /// - Parameter theme: `light` or `dark` as the learner chose; empty for the system's, which has both.
    /// - Returns: The colours; the browser takes the first whose condition is met.
    package static func all(for theme: String) -> [ThemeColor] {
        switch theme {
        case "light": [ThemeColor(color: light, media: nil)]
        case "dark": [ThemeColor(color: dark, media: nil)]
        default:
            [
                ThemeColor(color: light, media: "(prefers-color-scheme: light)"),
                ThemeColor(color: dark, media: "(prefers-color-scheme: dark)"),
            ]
        }
    }
}
