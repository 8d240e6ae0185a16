import Foundation
import PageRendering
import StudyModel
import Underway

/// The values of a review.
struct ReviewView {
    struct Row {
        /// The row's place in the page, to which a link leads.
        var place: String
        var stem: StemView
        /// The stem in one line, for a list.
        var line: String
        /// The first line of the code, for a list without the code itself.
        var codeLine: String?
        /// The context of `part_code`.
        var code: CodeView?
        var picture: PictureView?
        var clip: ClipView?
        var outcome: String
        var icon: String
        var tone: String
        /// "The right answer changed"; `nil` where it did not.
        var corrected: String?
        var why: WhyView?
        /// The language of the question.
        var content: ContentLanguage
        /// The link to the question's report; `nil` where it cannot be reported.
        var report: PageFrame.Link?
        /// The form of the learner's note; `nil` in a list that has none.
        var note: NoteView?
    }

    var title: String
    /// The purpose, the subject, the start and the duration of the session.
    var crumbs: String
    /// The result of the session, which paper has with its answers.
    var finding: String
    var backPath: String
    /// The other answers, when only the missed ones are shown.
    var all: ResultView.Link?
    var rows: [Row]

    /// Returns the address of the review of a topic.
    static func path(_ screen: ResultScreen, _ part: ResultScreen.Part) -> String {
        "/session/\(screen.id)/review?topic=\(part.id.addressPart)"
    }

    init(
        _ screen: ResultScreen, _ selection: ResultScreen.Selection, _ part: ResultScreen.Part?,
        _ pictures: ReviewPictures, notes: [String: String], _ formats: StudyFormats
    ) {
        let words = ResultText(screen, formats)
        title =
            part.map { "\($0.title): \($0.score(formats))" }
            ?? (selection == .missed ? words.allMissed : words.review)
        (crumbs, finding) = (words.crumbs, words.finding)
        backPath = "/session/\(screen.id)/result"
        all =
            selection == .all && part == nil
            ? nil : ResultView.Link(path: "/session/\(screen.id)/review", title: words.review)
        rows = screen.reviewed(selection, of: part).map { reviewed in
            var row = Row(reviewed, screen, formats)
            row.note = NoteView(reviewed, in: screen, notes)
            row.picture = pictures.picture(of: reviewed.question)
            row.clip = ClipView(
                pictures.clip(of: reviewed.question), id: row.place + "-clip", of: screen.subject,
                formats.words)
            return row
        }
    }
}

extension ReviewView.Row {
    /// Returns the place of a question in the page of a review.
    static func place(_ reviewed: ResultScreen.Reviewed) -> String {
        place(number: reviewed.number)
    }

    static func place(number: Int) -> String { "question-\(number)" }

    init(_ reviewed: ResultScreen.Reviewed, _ screen: ResultScreen, _ formats: StudyFormats) {
        let question = reviewed.question
        place = Self.place(reviewed)
        let writer = RichTextHTML(formats.words)
        stem = StemView(question.richStem, writer)
        line = writer.lineHTML(of: question.richStem)
        codeLine = reviewed.codeLine
        let name = formats.words.text(
            "today.question",
            [
                "number": formats.number(reviewed.number),
                "total": formats.number(screen.questionCount),
            ])
        code = question.code.map { CodeView($0, name: name) }
        icon = reviewed.isCorrect ? "check" : "cross"
        tone = reviewed.isCorrect ? "is-right" : "is-wrong"
        outcome = reviewed.outcome(formats.words)
        corrected =
            reviewed.isRegraded || reviewed.hasOtherKey ? formats.words["updates.keyChanged"] : nil
        why = WhyView(reviewed.response, to: question, of: screen.subject, formats.words, writer)
        content = ContentLanguage(screen.subject.contentLanguage)
        report = screen.reporting(reviewed).key.map {
            .init(
                href: ReportPages.path(screen.id, reviewed.number - 1, from: .review),
                title: formats.words[$0])
        }
    }
}
