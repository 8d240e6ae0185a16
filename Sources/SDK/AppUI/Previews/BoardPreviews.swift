#if DEBUG && canImport(SwiftUI) && canImport(AVFoundation) && !os(watchOS) && !os(tvOS)
import StudyModel
import SwiftUI
import Underway

#Preview("Boards and live events, without an account") {
    NavigationStack { BoardListView(BoardListModel(PreviewDevice.services())) { _ in } }
}

#Preview("Board, without an account") {
    NavigationStack {
        BoardView(
            BoardModel(PreviewDevice.services(), id: "week"), openProfile: {}, openStep: { _ in })
    }
}

#Preview("Name on boards, without an account") {
    NavigationStack {
        BoardProfileView(BoardProfileModel(PreviewDevice.services())) { _ in }
    }
}

#Preview("Live event, without an account") {
    NavigationStack {
        EventView(
            EventModel(PreviewDevice.services(), id: "cup"), begun: { _ in }, openStep: { _ in })
    }
}
#endif
