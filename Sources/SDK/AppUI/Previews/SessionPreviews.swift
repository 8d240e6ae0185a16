#if DEBUG && canImport(SwiftUI) && canImport(AVFoundation) && !os(watchOS) && !os(tvOS)
import StudyModel
import SwiftUI
import Underway

#Preview("Session, open") {
    PreviewScreen({ await PreviewDevice.session(PreviewDevice.services(), .study) }) {
        SessionView($0, close: {}) { _ in }
    }
}

#Preview("Session, right or wrong") {
    PreviewScreen({
        await PreviewDevice.session(PreviewDevice.services(), .study, answering: .options(["a"]))
    }) {
        SessionView($0, close: {}) { _ in }
    }
}

#Preview("Session, dark and large") {
    PreviewScreen({ await PreviewDevice.session(PreviewDevice.services(), .study) }) {
        SessionView($0, close: {}) { _ in }
    }
    .preferredColorScheme(.dark)
    .dynamicTypeSize(.accessibility3)
}

#Preview("Session, simulated exam") {
    PreviewScreen({ await PreviewDevice.session(PreviewDevice.services(), .exam) }) {
        SessionView($0, close: {}) { _ in }
    }
}

#Preview("Session that is gone") {
    SessionView(SessionModel(PreviewDevice.services(), id: "none"), close: {}) { _ in }
}

#Preview("Overview") {
    PreviewScreen({ await PreviewDevice.session(PreviewDevice.services(), .exam) }) { model in
        if let screen = model.screen {
            OverviewView(screen, open: { _ in }, handIn: {}, close: {})
        }
    }
}

#Preview("Result") {
    PreviewScreen({
        let services = PreviewDevice.services()
        let model = await PreviewDevice.session(services, .exam, answering: .options(["a"]))
        await model.finish()
        return ResultModel(services, id: model.id)
    }) {
        ResultView($0) { _ in }
    }
}

#Preview("Report") {
    PreviewScreen({
        await PreviewDevice.session(PreviewDevice.services(), .study, answering: .options(["a"]))
    }) {
        ReportView($0.report(at: 0)) {}
    }
}

// MARK: Parts

#Preview("Options in each standing") {
    let text = RichText("A row with $\\frac{a}{b}$", form: .markdown)
    VStack(spacing: StudyStyle.gap) {
        OptionRow(text, mark: .one, standing: .open, key: 1) {}
        OptionRow(text, mark: .one, standing: .chosen, key: 2) {}
        OptionRow(text, mark: .several, standing: .right("Right answer")) {}
        OptionRow(text, mark: .several, standing: .wrong("Your answer")) {}
        OptionRow(text, mark: .one, standing: .faded) {}
    }
    .padding(StudyStyle.gapLarge)
}

#Preview("Feet") {
    VStack(spacing: StudyStyle.gapLarge) {
        VerdictFoot("", tone: .plain) { Button("Check") {}.buttonStyle(.studyFilled) }
        VerdictFoot("Right", tone: .right) { Button("Continue") {}.buttonStyle(.studyFilled) }
        VerdictFoot("Not quite.", tone: .wrong) { Button("Continue") {}.buttonStyle(.studyFilled) }
        VerdictFoot("Choose an answer first", tone: .care) { EmptyView() }
    }
}

#Preview("Formulas") {
    let sources = [
        "$x=\\frac{-b\\pm\\sqrt{b^2-4ac}}{2a}$ in a line", "$E=mc^2$ as letters",
        "$$\\sum_{i=1}^{n} i=\\frac{n(n+1)}{2}$$",
        "$$A=\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}$$", "$$\\left\\{\\sqrt[3]{x}\\right\\}^2$$",
        "$\\fracc{a}{b}$ with a mistake",
    ]
    List {
        ForEach(sources, id: \.self) { RichTextView(RichText($0, form: .markdown)) }
    }
}

#Preview("Pictures") {
    VStack(spacing: StudyStyle.gapLarge) {
        QuestionPicture(nil, size: PictureSize(width: 320, height: 200))
        QuestionPicture(.shown(Image(systemName: "sailboat")), size: nil)
        QuestionPicture(.missing, size: nil)
    }
    .padding(StudyStyle.gapLarge)
}

#Preview("Clips") {
    let here = QuestionClip(checksum: Checksum(of: []), title: "A metronome", isOnDevice: true)
    let elsewhere = QuestionClip(checksum: Checksum(of: [1]), title: nil, isOnDevice: false)
    VStack(alignment: .leading, spacing: StudyStyle.gapLarge) {
        ClipRow(here, player: ClipPlayer()) { nil }
        ClipRow(elsewhere, player: ClipPlayer()) { nil }
    }
    .padding(StudyStyle.gapLarge)
}
#endif
