import Foundation
import Mustache

/// The templates of all pages, which only render: each value that they show was decided before.
enum Templates {
    /// Parses all templates.
    ///
    /// - Throws: `MustacheLibrary.ParserError`.
    static func library() throws -> MustacheLibrary {
        MustacheContentTypes.register(ScalarEscaping(), named: ScalarEscaping.name)
        var library = MustacheLibrary()
        for (name, bytes) in sources {
            // Each template chooses anew: a partial begins with the package's own escaping.
            let text =
                "{{% CONTENT_TYPE:\(ScalarEscaping.name)}}\n"
                + String(decoding: bytes, as: UTF8.self)
            try library.register(text, named: name)
        }
        return library
    }

    static let sources: [String: [UInt8]] = [
        "account": PackageResources.account_mustache,
        "account_create": PackageResources.account_create_mustache,
        "account_delete": PackageResources.account_delete_mustache,
        "account_sign_in": PackageResources.account_sign_in_mustache,
        "account_sign_out": PackageResources.account_sign_out_mustache,
        "bookings": PackageResources.bookings_mustache,
        "conflict": PackageResources.conflict_mustache,
        "conflict_edit": PackageResources.conflict_edit_mustache,
        "conflict_settled": PackageResources.conflict_settled_mustache,
        "favourites": PackageResources.favourites_mustache,
        "inbox": PackageResources.inbox_mustache,
        "layout": PackageResources.layout_mustache,
        "library": PackageResources.library_mustache,
        "message": PackageResources.message_mustache,
        "overview": PackageResources.overview_mustache,
        "part_back": PackageResources.part_back_mustache,
        "part_banner": PackageResources.part_banner_mustache,
        "part_chart": PackageResources.part_chart_mustache,
        "part_clock": PackageResources.part_clock_mustache,
        "part_code": PackageResources.part_code_mustache,
        "part_conflict": PackageResources.part_conflict_mustache,
        "part_csrf": PackageResources.part_csrf_mustache,
        "part_empty": PackageResources.part_empty_mustache,
        "part_flags": PackageResources.part_flags_mustache,
        "part_foot": PackageResources.part_foot_mustache,
        "part_freshness": PackageResources.part_freshness_mustache,
        "part_icon": PackageResources.part_icon_mustache,
        "part_keys": PackageResources.part_keys_mustache,
        "part_level_scale": PackageResources.part_level_scale_mustache,
        "part_nav": PackageResources.part_nav_mustache,
        "part_option_row": PackageResources.part_option_row_mustache,
        "part_ordering": PackageResources.part_ordering_mustache,
        "part_runs": PackageResources.part_runs_mustache,
        "part_session_head": PackageResources.part_session_head_mustache,
        "part_sheet": PackageResources.part_sheet_mustache,
        "part_toast": PackageResources.part_toast_mustache,
        "problem": PackageResources.problem_mustache,
        "progress": PackageResources.progress_mustache,
        "result": PackageResources.result_mustache,
        "review": PackageResources.review_mustache,
        "session": PackageResources.session_mustache,
        "settings": PackageResources.settings_mustache,
        "subject": PackageResources.subject_mustache,
        "sync_log": PackageResources.sync_log_mustache,
        "today": PackageResources.today_mustache,
        "updates": PackageResources.updates_mustache,
    ]
}
