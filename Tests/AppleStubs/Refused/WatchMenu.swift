// Refused on watchOS: cannot find 'Menu' in scope
import SwiftUI

/// A watch has no menus.
struct More: View {
    var body: some View {
        Menu {
            Text("Report")
        } label: {
            Text("More")
        }
    }
}
