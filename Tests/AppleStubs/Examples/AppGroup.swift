import OfflineStorage
import SwiftUI

struct SharedStoreApp: App {
    static func syncOnce() async {}

    @Environment(\.scenePhase) private var phase

    var body: some Scene {
        WindowGroup { Text("…") }
            // suspension: start
            .onChange(of: phase) { _, phase in
                if phase == .background { StoreSuspension.begin() } else { StoreSuspension.end() }
            }
            .backgroundTask(.appRefresh("refresh")) {
                StoreSuspension.end()
                defer { StoreSuspension.begin() }
                await Self.syncOnce()
            }
        // suspension: end
    }
}
