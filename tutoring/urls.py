"""Addresses of what is learned."""

from django.urls import path

from tutoring.views import answers, boards, classes, lessons, pace, pages, plans, reviews, talking, wishes

urlpatterns = [
    path("", pages.home, name="home"),
    path("level/", pages.level, name="level"),
    path("talk/", talking.talk, name="talk"),
    path("learn/", pages.learn, name="learn"),
    path("learn/answers/<str:pk>", answers.answer, name="answer"),
    path("learn/lesson/<path:key>/pace/", pace.pace, name="lesson-pace"),
    path("learn/lesson/<path:key>/", wishes.wishes, name="lesson-wishes"),
    path("learn/<slug:course>/", plans.course, name="course"),
    path("learn/<slug:course>/<slug:concept>/", lessons.concept, name="concept"),
    path("progress/", pages.progress, name="progress"),
    path("progress/review/", reviews.review, name="review"),
    path("progress/review/<uuid:pk>/", reviews.question, name="review-question"),
    path("progress/<slug:course>/<slug:concept>/", pages.evidence, name="evidence"),
    path("teach/", classes.taught, name="classes"),
    path("teach/<slug:code>/", boards.board, name="class"),
    path("teach/<slug:code>/settings/", classes.settings, name="class-settings"),
    path("teach/<slug:code>/archive/", classes.archive, name="class-archive"),
    path("teach/<slug:code>/delete/", classes.delete, name="class-delete"),
    path("teach/<slug:code>/export.csv", boards.export, name="class-export"),
    path("teach/<slug:code>/<int:learner>/", boards.learner, name="class-learner"),
    path("teach/<slug:code>/<int:learner>/remove/", boards.remove, name="class-remove"),
    path("teach/<slug:code>/<int:learner>/seen/", boards.seen, name="class-seen"),
    path(
        "teach/<slug:code>/<int:learner>/conversations/<int:session>/", boards.conversation, name="class-conversation"
    ),
    path("teach/<slug:code>/<int:learner>/<slug:course>/<slug:concept>/", boards.evidence, name="class-evidence"),
]
