package import Mustache

/// The templates of pages, which only render values and decide nothing.
package enum PageTemplates {
    /// Parses the shared templates and those of an app, which take precedence.
    ///
    /// - Parameter own: The app's templates by name.
    /// - Returns: The library.
    /// - Throws: `MustacheLibrary.ParserError`.
    package static func library(_ own: [String: [UInt8]]) throws -> MustacheLibrary {
        MustacheContentTypes.register(ScalarEscaping(), named: ScalarEscaping.name)
        var library = MustacheLibrary()
        for (name, bytes) in shared.merging(own, uniquingKeysWith: { $1 }) {
            // Each template chooses anew: a partial begins with the package's own escaping.
            let text =
                "{{% CONTENT_TYPE:\(ScalarEscaping.name)}}\n"
                + String(decoding: bytes, as: UTF8.self)
            try library.register(text, named: name)
        }
        return library
    }

    /// The templates that the study app and the desk share; each app has its own `part_nav`.
    package static let shared: [String: [UInt8]] = [
        "layout": PackageResources.layout_mustache,
        "part_back": PackageResources.part_back_mustache,
        "part_banner": PackageResources.part_banner_mustache,
        "part_chart": PackageResources.part_chart_mustache,
        "part_code": PackageResources.part_code_mustache,
        "part_conflict": PackageResources.part_conflict_mustache,
        "part_csrf": PackageResources.part_csrf_mustache,
        "part_default": PackageResources.part_default_mustache,
        "part_empty": PackageResources.part_empty_mustache,
        "part_foot": PackageResources.part_foot_mustache,
        "part_freshness": PackageResources.part_freshness_mustache,
        "part_icon": PackageResources.part_icon_mustache,
        "part_keys": PackageResources.part_keys_mustache,
        "part_option_row": PackageResources.part_option_row_mustache,
        "part_ordering": PackageResources.part_ordering_mustache,
        "part_runs": PackageResources.part_runs_mustache,
        "part_sheet": PackageResources.part_sheet_mustache,
        "part_toast": PackageResources.part_toast_mustache,
    ]
}
