// Refused on macOS: has no member 'navigationBarTitleDisplayMode'
import SwiftUI

/// A Mac has no navigation bar.
struct Titled: View {
    var body: some View { Text("Today").navigationBarTitleDisplayMode(.inline) }
}
