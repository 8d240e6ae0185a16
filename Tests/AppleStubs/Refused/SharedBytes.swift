// Refused: cannot convert value of type '[UInt8]' to expected argument type 'URL'
import SwiftUI

struct ExportRow: View {
    let bytes: [UInt8]

    /// Bytes have no address and are nothing that can be transferred.
    var body: some View { ShareLink("Export my data", item: bytes) }
}
