#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI
import Underway

/// A picture of a screen after its file was read.
enum LoadedPicture {
    case shown(Image)
    /// A file that is not on the device, or in a format that the system cannot draw, such as SVG.
    case missing

    /// Reads the bytes of a file.
    @MainActor init(_ bytes: [UInt8]?) {
        self = bytes.flatMap { Image(bytes: $0) }.map(LoadedPicture.shown) ?? .missing
    }
}

/// A picture of a question; its place is known before the picture is, so that nothing moves when it comes.
struct QuestionPicture: View {
    /// The largest frame of a question's picture, in points.
    static let question = (width: 640, height: 280)
    /// The largest frame of an option's picture.
    static let option = (width: 480, height: 160)

    private let loaded: LoadedPicture?
    private let size: PictureSize?
    private let room: (width: Int, height: Int)
    private let canEnlarge: Bool
    @State private var isEnlarged = false
    @Environment(\.studyFormats) private var formats

    /// Creates the picture of a question.
    ///
    /// - Parameters:
    ///   - loaded: The picture; `nil` while it is read.
    ///   - size: Its size, if the format says it.
    ///   - room: The largest frame.
    ///   - canEnlarge: False within a button, such as an option.
    init(
        _ loaded: LoadedPicture?, size: PictureSize?, in room: (width: Int, height: Int) = question,
        canEnlarge: Bool = true
    ) {
        self.loaded = loaded
        self.size = size
        self.room = room
        self.canEnlarge = canEnlarge
    }

    var body: some View {
        if canEnlarge {
            box.overlay(alignment: .bottomTrailing) { enlarge }
                .enlarges(picture, isPresented: $isEnlarged)
        } else {
            box
        }
    }

    private var box: some View {
        let fitted = size?.fitted(width: room.width, height: room.height)
        return Color.clear
            .aspectRatio(fitted.map(\.ratio) ?? 1.6, contentMode: .fit)
            .frame(
                maxWidth: CGFloat(fitted?.width ?? room.width),
                maxHeight: CGFloat(fitted?.height ?? room.height)
            )
            .overlay { content }
    }

    @ViewBuilder private var content: some View {
        switch loaded {
        case .shown(let image)?:
            image.resizable().scaledToFit()
                .accessibilityLabel(formats.words["session.picture"])
                .accessibilityHidden(!canEnlarge)
        case .missing?:
            Text(verbatim: formats.words["session.pictureMissing"]).font(StudyStyle.small)
                .foregroundStyle(StudyColor.soft)
        case nil: ProgressView()
        }
    }

    private var picture: Image? {
        if case .shown(let image)? = loaded { image } else { nil }
    }

    @ViewBuilder private var enlarge: some View {
        if picture != nil {
            Button(
                formats.words["session.enlarge"],
                systemImage: "arrow.up.left.and.arrow.down.right"
            ) {
                isEnlarged = true
            }
            .labelStyle(.iconOnly)
            .buttonStyle(.studyOutlined)
            .frame(minWidth: StudyStyle.targetMin, minHeight: StudyStyle.targetMin)
        }
    }
}

extension PictureSize {
    /// The width for each unit of height.
    fileprivate var ratio: CGFloat { CGFloat(width) / CGFloat(height) }
}

/// A picture as large as the screen, and larger.
private struct EnlargedPicture: View {
    private static let scales: ClosedRange<CGFloat> = 1...6
    private let image: Image
    private let close: @MainActor () -> Void
    @State private var scale: CGFloat = 1
    /// The scale at which a pinch began.
    @State private var pinched: CGFloat = 1
    @Environment(\.studyFormats) private var formats

    init(_ image: Image, close: @escaping @MainActor () -> Void) {
        self.image = image
        self.close = close
    }

    var body: some View {
        NavigationStack {
            GeometryReader { room in
                ScrollView([.horizontal, .vertical]) {
                    image.resizable().scaledToFit()
                        .frame(
                            width: room.size.width * scale, height: room.size.height * scale
                        )
                        .accessibilityLabel(formats.words["session.picture"])
                }
                .simultaneousGesture(pinch)
            }
            .background(StudyColor.page)
            .toolbar {
                ToolbarItem(placement: .cancellationAction) {
                    Button(formats.words["app.close"], action: close)
                }
                ToolbarItem(placement: .primaryAction) {
                    Button(formats.words["session.enlarge"]) { zoom(to: scale > 1 ? 1 : 2) }
                }
            }
        }
    }

    private var pinch: some Gesture {
        MagnifyGesture()
            .onChanged { scale = Self.inside(pinched * $0.magnification) }
            .onEnded { _ in pinched = scale }
    }

    private func zoom(to wanted: CGFloat) { (scale, pinched) = (wanted, wanted) }

    private static func inside(_ scale: CGFloat) -> CGFloat {
        min(max(scale, scales.lowerBound), scales.upperBound)
    }
}

extension View {
    /// Shows a picture over the screen: on a phone over all of it.
    fileprivate func enlarges(_ image: Image?, isPresented: Binding<Bool>) -> some View {
        covers(isPresented: isPresented) {
            if let image {
                EnlargedPicture(image) { isPresented.wrappedValue = false }
            }
        }
    }
}
#endif
