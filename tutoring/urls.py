"""URLs of the learning pages."""

from django.urls import path

from tutoring.pages.views import (
    answers,
    class_board,
    class_settings,
    contests,
    course_map,
    goal_path,
    lesson_settings,
    lesson_start,
    new_conversation,
    overviews,
    pace,
    reviews,
)

urlpatterns = [
    path("", overviews.home, name="home"),
    path("level/", overviews.level, name="level"),
    path("talk/", new_conversation.start_conversation, name="talk"),
    path("learn/", overviews.learn, name="learn"),
    path("learn/answers/<str:pk>", answers.answer, name="answer"),
    path("learn/lesson/<path:key>/pace/", pace.pace, name="lesson-pace"),
    path("learn/lesson/<path:key>/", lesson_settings.lesson_settings, name="lesson-wishes"),
    path("path/", goal_path.my_path, name="my-path"),
    path("learn/<slug:course>/path/", goal_path.path, name="path"),
    path("learn/<slug:course>/", course_map.course, name="course"),
    path("learn/<slug:course>/<slug:concept>/", lesson_start.concept, name="concept"),
    path("progress/", overviews.progress, name="progress"),
    path("progress/review/", reviews.review, name="review"),
    path("progress/review/<uuid:pk>/", reviews.question, name="review-question"),
    path("progress/answers/<int:attempt>/contest/", contests.contest_answer, name="contest-answer"),
    path("progress/<slug:course>/<slug:concept>/contest/", contests.contest_mastery, name="contest-mastery"),
    path("progress/<slug:course>/<slug:concept>/", contests.evidence, name="evidence"),
    path("teach/", class_settings.taught_classes, name="classes"),
    path("teach/<slug:code>/", class_board.board, name="class"),
    path("teach/<slug:code>/settings/", class_settings.class_settings, name="class-settings"),
    path("teach/<slug:code>/archive/", class_settings.archive, name="class-archive"),
    path("teach/<slug:code>/delete/", class_settings.delete, name="class-delete"),
    path("teach/<slug:code>/export.csv", class_board.export_board, name="class-export"),
    path("teach/<slug:code>/<int:learner>/", class_board.learner, name="class-learner"),
    path("teach/<slug:code>/<int:learner>/remove/", class_board.remove_learner, name="class-remove"),
    path("teach/<slug:code>/<int:learner>/contests/<int:contest>/", class_board.decide_contest, name="class-contest"),
    path("teach/<slug:code>/<int:learner>/seen/", class_board.mark_concern_seen, name="class-seen"),
    path(
        "teach/<slug:code>/<int:learner>/conversations/<int:session>/",
        class_board.conversation,
        name="class-conversation",
    ),
    path("teach/<slug:code>/<int:learner>/<slug:course>/<slug:concept>/", class_board.evidence, name="class-evidence"),
]
