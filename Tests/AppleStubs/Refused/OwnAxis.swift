// Refused: does not conform to protocol 'AxisContent'
import Charts
import SwiftUI

/// Only the types of Charts conform to it.
struct ShareAxis: AxisContent {
    var body: some AxisContent { AxisMarks { _ in AxisGridLine() } }
}
