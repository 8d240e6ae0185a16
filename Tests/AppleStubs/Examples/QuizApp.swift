import Foundation
import SwiftUI
import Underway

struct RootView: View {
    var body: some View { Text("…") }
}

struct Device: Sendable {
    let store: OfflineStore
    let content: ContentSync
    let userData: UserDataSync

    static func open() -> Device { fatalError("as in the ten lines of the page") }
}

// swiftui: start
@main
struct QuizApp: App {
    static let refresh = "org.example.quiz.refresh"  // in BGTaskSchedulerPermittedIdentifiers
    @Environment(\.scenePhase) private var phase
    private let device: Device
    private let background: BackgroundSync

    init() {
        let device = Device.open()  // opens the stores and calls beginStart
        self.device = device
        background = BackgroundSync(
            userData: device.userData, content: device.content,
            scheduler: AppRefreshScheduler(identifier: Self.refresh))
    }

    var body: some Scene {
        WindowGroup {
            RootView().task { [store = device.store] in try? await store.superviseStart() }
        }
        .onChange(of: phase) { _, phase in
            guard phase == .background else { return }
            try? device.store.confirmStart()  // leaving the screen is no crash
            try? background.schedule()  // the first time, and again whenever the app is left
        }
        .backgroundTask(.appRefresh(Self.refresh)) { [background] in await background.wake() }
    }
}
// swiftui: end
