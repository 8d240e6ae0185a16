import Mustache
import PageRendering

/// The templates of the study app's own pages.
enum Templates {
    /// Parses all templates, with the shared parts.
    ///
    /// - Throws: `MustacheLibrary.ParserError`.
    static func library() throws -> MustacheLibrary { try PageTemplates.library(sources) }

    static let sources: [String: [UInt8]] = [
        "account": PackageResources.account_mustache,
        "account_create": PackageResources.account_create_mustache,
        "account_delete": PackageResources.account_delete_mustache,
        "account_sign_in": PackageResources.account_sign_in_mustache,
        "account_sign_out": PackageResources.account_sign_out_mustache,
        "board": PackageResources.board_mustache,
        "board_name": PackageResources.board_name_mustache,
        "boards": PackageResources.boards_mustache,
        "bookings": PackageResources.bookings_mustache,
        "conflict": PackageResources.conflict_mustache,
        "conflict_edit": PackageResources.conflict_edit_mustache,
        "conflict_settled": PackageResources.conflict_settled_mustache,
        "event": PackageResources.event_mustache,
        "favourites": PackageResources.favourites_mustache,
        "inbox": PackageResources.inbox_mustache,
        "library": PackageResources.library_mustache,
        "message": PackageResources.message_mustache,
        "overview": PackageResources.overview_mustache,
        "part_clip": PackageResources.part_clip_mustache,
        "part_clock": PackageResources.part_clock_mustache,
        "part_consent": PackageResources.part_consent_mustache,
        "part_flags": PackageResources.part_flags_mustache,
        "part_level_scale": PackageResources.part_level_scale_mustache,
        "part_note": PackageResources.part_note_mustache,
        "part_nav": PackageResources.part_nav_mustache,
        "part_pages": PackageResources.part_pages_mustache,
        "part_places": PackageResources.part_places_mustache,
        "part_question_search": PackageResources.part_question_search_mustache,
        "part_session_head": PackageResources.part_session_head_mustache,
        "part_session_row": PackageResources.part_session_row_mustache,
        "part_standing": PackageResources.part_standing_mustache,
        "part_subjects": PackageResources.part_subjects_mustache,
        "part_why": PackageResources.part_why_mustache,
        "picture": PackageResources.picture_mustache,
        "problem": PackageResources.problem_mustache,
        "progress": PackageResources.progress_mustache,
        "question": PackageResources.question_mustache,
        "report": PackageResources.report_mustache,
        "result": PackageResources.result_mustache,
        "review": PackageResources.review_mustache,
        "session": PackageResources.session_mustache,
        "settings": PackageResources.settings_mustache,
        "settings_learning": PackageResources.settings_learning_mustache,
        "start": PackageResources.start_mustache,
        "subject": PackageResources.subject_mustache,
        "subject_questions": PackageResources.subject_questions_mustache,
        "subject_sessions": PackageResources.subject_sessions_mustache,
        "sync_log": PackageResources.sync_log_mustache,
        "today": PackageResources.today_mustache,
        "updates": PackageResources.updates_mustache,
    ]
}
