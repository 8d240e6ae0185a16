#if DEBUG && canImport(SwiftUI) && canImport(AVFoundation) && !os(watchOS) && !os(tvOS)
import StudyModel
import SwiftUI
import Underway

// MARK: The app

#Preview("App, a new learner") {
    StudyAppView(PreviewDevice.services())
}

#Preview("App, right to left") {
    StudyAppView(PreviewDevice.services()).studyFormats(PreviewDevice.arabic)
}

// MARK: Today

#Preview("Today, nothing answered") {
    NavigationStack { TodayView(TodayModel(PreviewDevice.services())) { _ in } }
}

#Preview("Today, a session to continue") {
    PreviewScreen(PreviewDevice.busy) { TodayView(TodayModel($0)) { _ in } }
}

#Preview("Today, large type") {
    PreviewScreen(PreviewDevice.busy) { TodayView(TodayModel($0)) { _ in } }
        .dynamicTypeSize(.accessibility3)
}

// MARK: Library

#Preview("Start") {
    NavigationStack {
        StartView(LibraryModel(PreviewDevice.services()), open: { _ in }, signIn: {})
    }
}

#Preview("Library") {
    NavigationStack { LibraryView(LibraryModel(PreviewDevice.services())) { _ in } }
}

#Preview("Library, empty") {
    NavigationStack {
        LibraryView(LibraryModel(PreviewDevice.services(hasContent: false))) { _ in }
    }
}

#Preview("Subject, new") {
    NavigationStack {
        SubjectView(SubjectModel(PreviewDevice.services(), bank: PreviewDevice.exam)) { _ in }
    }
}

#Preview("Subject, studied") {
    PreviewScreen(PreviewDevice.busy) {
        SubjectView(SubjectModel($0, bank: PreviewDevice.exam)) { _ in }
    }
}

#Preview("Subject that is gone") {
    NavigationStack {
        SubjectView(
            SubjectModel(PreviewDevice.services(hasContent: false), bank: PreviewDevice.exam)
        ) { _ in }
    }
}

#Preview("Files of a subject without any") {
    NavigationStack {
        SubjectFilesView(SubjectFilesModel(PreviewDevice.services(), bank: PreviewDevice.exam))
    }
}

#Preview("Sessions") {
    PreviewScreen(PreviewDevice.busy) {
        SessionListView(SessionListModel($0, bank: PreviewDevice.exam)) { _ in }
    }
}

#Preview("Questions") {
    PreviewScreen(PreviewDevice.busy) {
        QuestionListView(QuestionListModel($0, bank: PreviewDevice.exam)) { _ in }
    }
}

#Preview("Question, its key hidden") {
    PreviewScreen({ PreviewDevice.services() }) { services in
        BankQuestionView(
            QuestionModel(services, id: "speed", of: PreviewDevice.exam),
            notes: NoteModel(services), asides: SetAsideModel(services))
    }
}

#Preview("Question that is gone") {
    PreviewScreen({ PreviewDevice.services() }) { services in
        BankQuestionView(
            QuestionModel(services, id: "none", of: PreviewDevice.exam),
            notes: NoteModel(services), asides: SetAsideModel(services))
    }
}

#Preview("Saved questions") {
    PreviewScreen(PreviewDevice.busy) { FavouritesView(FavouritesModel($0)) { _ in } }
}

#Preview("Saved questions, none") {
    NavigationStack { FavouritesView(FavouritesModel(PreviewDevice.services())) { _ in } }
}

// MARK: Progress and exam dates

#Preview("Progress, nothing answered") {
    NavigationStack { ProgressScreenView(ProgressModel(PreviewDevice.services())) }
}

#Preview("Progress") {
    PreviewScreen(PreviewDevice.busy) { ProgressScreenView(ProgressModel($0)) }
}

#Preview("Exam dates") {
    NavigationStack {
        BookingsView(BookingsModel(PreviewDevice.services()), sends: false) { _ in }
    }
}

#Preview("Updates, none") {
    NavigationStack { UpdatesView(UpdatesModel(PreviewDevice.services())) }
}
#endif
