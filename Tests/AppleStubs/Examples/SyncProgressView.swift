import SwiftUI
import Underway

private enum app {
    static var content: ContentSync { fatalError("as on the page") }
}

// syncProgress: start
struct SyncProgressView: View {
    @State private var sync = ObservedSync(app.content)

    var body: some View {
        ProgressView(value: sync.status.progress.fractionDone).task { await sync.follow() }
    }
}
// syncProgress: end
