import SwiftUI
import Underway

struct LinksView: View {
    private enum app {
        static var links: RemoteAsset<LocalizedStrings> { fatalError("as on the page") }
    }

    // observed: start
    @State private var links = ObservedAsset(app.links)  // links.value, links.error
    // observed: end

    var body: some View {
        Text(links.value.text("privacy") ?? "none").task { await links.follow() }
    }
}
