#if DEBUG && canImport(SwiftUI) && canImport(AVFoundation) && !os(watchOS) && !os(tvOS)
import StudyModel
import SwiftUI
import Underway

#Preview("Status line") {
    FreshnessBanner(
        FreshnessModel(PreviewDevice.services()), decide: { _ in }, showChanges: {})
}

#Preview("Inbox, empty") {
    NavigationStack { InboxView(InboxModel(PreviewDevice.services())) { _ in } }
}

#Preview("Conflict that is settled") {
    NavigationStack {
        ConflictView(
            ConflictModel(
                PreviewDevice.services(),
                key: RecordKey(Favourite.collection.name, "lights")))
    }
}

#Preview("Message that is gone") {
    NavigationStack { MessageView(AnnouncementModel(PreviewDevice.services()), id: 1) {} }
}

#Preview("Settings") {
    let services = PreviewDevice.services()
    NavigationStack {
        SettingsView(
            SettingsModel(services),
            files: { SubjectFilesModel(services, bank: $0.subject.bank) }, open: { _ in })
    }
}

#Preview("Log of syncs, empty") {
    NavigationStack { SyncLogView(PreviewDevice.services()) }
}

#Preview("Learning") {
    NavigationStack { LearningView(LearningModel(PreviewDevice.services(), bank: nil)) }
}

#Preview("Learning, of one subject") {
    NavigationStack {
        LearningView(LearningModel(PreviewDevice.services(), bank: PreviewDevice.exam))
    }
}

#Preview("Account") {
    NavigationStack { AccountView(AccountModel(PreviewDevice.services())) { _ in } }
}

#Preview("Sign in") {
    NavigationStack {
        AccountForm(AccountModel(PreviewDevice.services()), step: .signIn) { _ in }
    }
}

#Preview("Create an account") {
    NavigationStack {
        AccountForm(AccountModel(PreviewDevice.services()), step: .create) { _ in }
    }
}

#Preview("Sign out") {
    NavigationStack {
        AccountForm(AccountModel(PreviewDevice.services()), step: .signOut) { _ in }
    }
}

#Preview("Delete the account") {
    NavigationStack {
        AccountForm(AccountModel(PreviewDevice.services()), step: .delete) { _ in }
    }
}

#Preview("Problem") {
    ProblemCard(StudyProblem(.offline)).padding(StudyStyle.gapLarge)
}
#endif
