import ContentModel
import StudyModel
import SwiftUI

// questionOfTheDay: start
struct QuestionOfTheDay: View {
    @State private var model: SessionModel

    init(_ services: StudyServices, session id: String) {
        model = SessionModel(services, id: id)
    }

    var body: some View {
        Text(model.screen?.question.stem ?? "").task { await model.load() }
    }
}
// questionOfTheDay: end
