// Refused: requires that 'DateComponents' conform to 'Plottable'
import Charts
import Foundation
import SwiftUI

struct DueDays: View {
    let days: [DateComponents]

    var body: some View {
        Chart(days, id: \.self) { day in
            BarMark(x: .value("Day", day), y: .value("Cards", 3))
        }
    }
}
