// Refused: value of type 'List<Never, Text>' has no member 'onMove'
import SwiftUI

struct Ordering: View {
    /// Rows move where they are made of data, not as a list.
    var body: some View { List { Text("Int8") }.onMove { _, _ in } }
}
